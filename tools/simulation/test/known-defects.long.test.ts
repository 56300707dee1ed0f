import { scaled } from '@engawa/testing';
import { simulate } from './support/simulate.ts';

/**
 * Defects that only few worlds show. The number of worlds is twice the number that was needed,
 * since any change of an actor changes the worlds.
 */
const defects: [string, number][] = [
  ['dead-letters-by-content', 5],
  ['poison-stalls', 5],
  ['dead-letters-chained', 25],
  ['group-forgotten', 10],
  ['shelly-channels-in-one-field', 5],
  ['increase-by-page', 5],
  ['stale-etag-registry', 10],
  ['stale-etag-catalog', 5],
  ['type-unknown-elsewhere', 5],
  ['relations-to-former', 5],
  ['readings-by-content', 5],
  ['equal-times-by-content', 5],
  ['expired-accepted', 10],
  ['forgotten-when-refused', 15],
  ['retained-in-new-session', 5],
  ['stall-by-own-messages', 30],
  ['bad-value-refuses-reading', 5],
  ['clock-ahead-unmarked', 5],
];

/** Defects that need more worlds are left out; `TEST_SCALE=3` plays all. */
const maxSeeds = scaled(10);

it.each(defects.filter(([, seeds]) => seeds <= maxSeeds))(
  'the defect %s is found in one of %i runs',
  async (name, seeds) => {
    const { code, text } = await simulate('--known', '--undo', name, '--seeds', String(seeds));
    expect(text).toMatch(new RegExp(`^\\| ${name} \\| \\d+ \\| \\d+ \\| .+ \\|$`, 'm'));
    expect(code).toBe(0);
  },
);
