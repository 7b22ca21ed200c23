/** How many random cases a property test tries: one, as an example. `npm run test:property` tries very many. */
export const propertyRuns = Number(process.env.PROPERTY_RUNS ?? 1);

/** What random cases are drawn from. `npm run test:property` draws a new one and prints it. */
export const propertySeed = Number(process.env.PROPERTY_SEED ?? 20_260_101);

/** The size of a large test: in `npm test`, and in `npm run test:property`. */
export const sized = <Size>(usual: Size, large: Size) => (propertyRuns < 100 ? usual : large);
