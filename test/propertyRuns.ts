/** How many random cases a property test tries: one, as an example. `npm run test:property` tries very many. */
export const propertyRuns = Number(process.env.PROPERTY_RUNS ?? 1);

/** Fixed, so that a failing run can be repeated. */
export const propertySeed = 20_260_101;

/** The size of a large test: in `npm test`, and in `npm run test:property`. */
export const sized = <Size>(usual: Size, large: Size) => (propertyRuns < 100 ? usual : large);
