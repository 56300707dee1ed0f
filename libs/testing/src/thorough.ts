/** Set where tests have the time for all cases: by `npm run test:all`, which continuous integration runs. */
const variable = 'TEST_THOROUGHLY';

/** Whether tests of generated, random or exhaustive cases play all of them. */
export const isThorough = !['', '0', undefined].includes(process.env[variable]);

/**
 * The number of generated cases, or the list of cases: `all` in continuous integration, and `some` in `npm test`, where
 * the rest of them would take more than a few seconds.
 */
export function someOrAll<Cases>(some: Cases, all: Cases): Cases {
  return isThorough ? all : some;
}
