import { pendingPut } from './pending-put.ts';
import { SuspectPuts } from './suspect-puts.ts';

const anItem = (pk: string, sk: string) => pendingPut({ pk, sk });
const later = 1_000_000;

/** Suspects with these items, each failed alone. */
function withFailed(...puts: ReturnType<typeof anItem>[]): SuspectPuts {
  const suspects = new SuspectPuts();
  for (const put of puts) suspects.failed(put, 0);
  return suspects;
}

it('sends one isolated item at a time, and the next when it is stored', () => {
  const [one, two] = [anItem('a', '1'), anItem('b', '1')];
  const suspects = withFailed(one, two);
  expect(suspects.takeIsolated(later)).toBe(one);
  expect(suspects.takeIsolated(later)).toBeUndefined();
  suspects.stored(one);
  expect(suspects.takeIsolated(later)).toBe(two);
});

it('sends the next isolated item where others of the key were stored meanwhile', () => {
  const [one, two] = [anItem('a', '1'), anItem('b', '1')];
  const suspects = withFailed(one, two);
  suspects.takeIsolated(later);
  suspects.stored(anItem('a', '2'));
  suspects.stored(one);
  expect(suspects.takeIsolated(later)).toBe(two);
});

it('sends the next item where one that waited for its key is stored after others of the key', () => {
  const [one, two] = [anItem('a', '1'), anItem('a', '2')];
  const suspects = withFailed(one, two);
  const waiting = anItem('a', '3');
  suspects.add(waiting);
  for (const rejected of [one, two]) {
    expect(suspects.takeIsolated(later)).toBe(rejected);
    suspects.released(rejected);
  }
  expect(suspects.takeIsolated(later)).toBe(waiting);
  const other = anItem('b', '1');
  suspects.failed(other, 0);
  suspects.stored(anItem('a', '4'));
  suspects.stored(waiting);
  expect(suspects.takeIsolated(later)).toBe(other);
});

it('releases items that waited for their key once one of it is stored', () => {
  const [one, two, waiting] = [anItem('a', '1'), anItem('a', '2'), anItem('a', '3')];
  const suspects = withFailed(one, two);
  suspects.add(waiting);
  expect(suspects.takeIsolated(later)).toBe(one);
  expect(suspects.stored(one)).toEqual([waiting]);
  expect(suspects.holds('a')).toBe(false);
});
