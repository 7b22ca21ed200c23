/** How many random cases a property test tries; `npm run test:property` tries many more. */
export const propertyRuns = Number(process.env.PROPERTY_RUNS ?? 3);

/** Fixed, so that a failing run can be repeated. */
export const propertySeed = 20_260_101;

/** The size of a large test: in `npm test`, and in `npm run test:property`. */
export const sized = (usual: number, large: number) => (propertyRuns < 100 ? usual : large);
