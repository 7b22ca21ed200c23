/** How many random cases a property test tries; `PROPERTY_RUNS=500` searches more thoroughly. */
export const propertyRuns = Number(process.env.PROPERTY_RUNS ?? 40);

/** Fixed, so that a failing run can be repeated. */
export const propertySeed = 20_260_101;
