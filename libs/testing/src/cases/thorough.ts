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

/** How many times as many random cases long tests play: `TEST_SCALE=5 npm run test:long`. */
const scale = Number(process.env['TEST_SCALE'] ?? 1);
if (!(scale > 0)) throw new Error('TEST_SCALE must be a number above 0');

/** The number of random cases of a long test: `cases`, or as many times as many as `TEST_SCALE` says. */
export function scaled(cases: number): number {
  return Math.ceil(cases * scale);
}
