import { simulate } from './support/simulate.ts';

/**
 * Those that few worlds show: of each the number of worlds is twice what it took, since any change
 * of an actor makes other worlds.
 */
it.each([
  ['dead-letters-by-content', 5],
  ['poison-stalls', 5],
  ['dead-letters-chained', 10],
  ['group-forgotten', 10],
  ['shelly-channels-in-one-field', 5],
  ['increase-by-page', 5],
  ['stale-etag-registry', 10],
  ['stale-etag-catalog', 5],
  ['type-unknown-elsewhere', 5],
  ['relations-to-former', 5],
])('the defect %s is found in one of %i runs', async (name, seeds) => {
  const { code, text } = await simulate('--known', '--undo', name, '--seeds', String(seeds));
  expect(text).toMatch(new RegExp(`^\\| ${name} \\| \\d+ \\| \\d+ \\| .+ \\|$`, 'm'));
  expect(code).toBe(0);
});
