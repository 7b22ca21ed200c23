/** How many random cases a property test tries; `npm run test:property` tries many more. */
export const propertyRuns = Number(process.env.PROPERTY_RUNS ?? 20);

/** Fixed, so that a failing run can be repeated. */
export const propertySeed = 20_260_101;
