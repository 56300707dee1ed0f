import { batchBytes, Lanes } from './lanes.ts';

interface Entry {
  pk: string;
  bytes: number;
  name: string;
}

const entry = (pk: string, name = pk, bytes = 100): Entry => ({ pk, bytes, name });
const names = (entries: readonly Entry[]) => entries.map(({ name }) => name);

function withEntries(...entries: Entry[]): Lanes<Entry> {
  const lanes = new Lanes<Entry>(() => 1);
  for (const each of entries) lanes.add(each);
  return lanes;
}

/** So many entries of one key. */
const many = (pk: string, count: number) =>
  Array.from({ length: count }, (_, index) => entry(pk, `${pk}${index}`));

/** A lane of this key that waits until 50 and then tries a whole batch. */
function widen(lanes: Lanes<Entry>, pk: string): void {
  lanes.throttled(pk, [entry(pk, 'first')], 24, 0);
  lanes.take(50);
  lanes.throttled(pk, [entry(pk, 'first')], 24, 0);
}

it('gives batches of 25 in order', () => {
  const lanes = withEntries(...many('a', 30));
  expect(lanes.hasFullBatch).toBe(true);
  expect(names(lanes.take(0))).toEqual(names(many('a', 25)));
  expect(lanes.hasFullBatch).toBe(false);
  expect(lanes.take(0)).toHaveLength(5);
  expect(lanes.take(0)).toEqual([]);
});

it('keeps a batch within its bytes', () => {
  const half = batchBytes / 2;
  const lanes = withEntries(entry('a', '1', half), entry('b', '2', half), entry('c', '3', 1));
  expect(names(lanes.take(0))).toEqual(['1', '2']);
  expect(names(lanes.take(0))).toEqual(['3']);
});

it('lets the others pass a throttled key, which takes its waiting entries along', () => {
  const lanes = withEntries(entry('hot', '1'), entry('cool', '2'), entry('hot', '3'));
  const [first] = lanes.take(0).splice(0, 1);
  lanes.add(entry('hot', '4'));
  lanes.add(entry('cool', '5'));
  lanes.throttled('hot', [first ?? entry('')], 0, 1000);
  lanes.add(entry('hot', '6'));
  expect(lanes.dueAt).toBe(1050);
  expect(names(lanes.take(1049))).toEqual(['5']);
  expect(names(lanes.take(1050))).toEqual(['1']);
  lanes.taken('hot', 1060);
  expect(names(lanes.take(1060))).toEqual(['4', '6']);
});

it('waits twice as long each time, and begins anew when something got through', () => {
  const lanes = withEntries();
  const waits = [0, 0, 0, 1, 0].map((taken) => {
    lanes.throttled('hot', [entry('hot')], taken, 0);
    const wait = lanes.dueAt;
    lanes.take(wait);
    return wait;
  });
  expect(waits).toEqual([50, 100, 200, 50, 100]);
});

it('is throttled once by all batches that were in flight together', () => {
  const lanes = withEntries();
  lanes.throttled('hot', [entry('hot', '1')], 0, 0);
  lanes.throttled('hot', [entry('hot', '2')], 0, 10);
  lanes.taken('hot', 20);
  expect(lanes.dueAt).toBe(50);
  expect(lanes.take(49)).toEqual([]);
  expect(lanes.take(50)).toHaveLength(1);
});

it('tries a few more than were taken, so that little is sent for nothing', () => {
  const lanes = withEntries();
  lanes.throttled('hot', many('hot', 200), 0, 0);
  const tried = (taken: number): number => {
    const batch = lanes.take(lanes.dueAt);
    if (taken < batch.length) lanes.throttled('hot', batch.slice(taken), taken, 0);
    else lanes.taken('hot', 0);
    return batch.length;
  };
  // All is taken: twice as many each time, up to a batch. Then less and less.
  expect([1, 2, 4, 8, 16, 25, 25, 10, 3, 0, 0, 0, 0].map(tried)).toEqual([
    1, 2, 4, 8, 16, 25, 25, 25, 11, 4, 2, 1, 1,
  ]);
});

it('sends one batch of a lane at a time', () => {
  const lanes = withEntries();
  widen(lanes, 'hot');
  for (const each of many('hot', 29)) lanes.add(each);
  expect(lanes.take(50)).toHaveLength(25);
  expect(lanes.take(99_999)).toEqual([]);
  expect(lanes.dueAt).toBe(Infinity);
  lanes.taken('hot', 60);
  expect(lanes.dueAt).toBe(60);
  expect(lanes.take(60)).toHaveLength(5);
  lanes.taken('hot', 70);
  lanes.add(entry('hot', 'later'));
  expect(names(lanes.take(70))).toEqual(['later']);
});

it('takes from the open queue and from the lanes in turn, and never from both at once', () => {
  const lanes = withEntries();
  widen(lanes, 'hot');
  for (const each of [...many('hot', 49), ...many('cool', 60)]) lanes.add(each);
  const taken = Array.from({ length: 6 }, () => {
    const batch = lanes.take(50);
    const keys = new Set(batch.map(({ pk }) => pk));
    lanes.taken('hot', 50);
    return [batch.length, ...keys];
  });
  expect(taken).toEqual([[25, 'cool'], [25, 'hot'], [25, 'cool'], [25, 'hot'], [10, 'cool'], [0]]);
});

it('gives each lane its turn', () => {
  const lanes = withEntries();
  for (const pk of ['a', 'b']) lanes.throttled(pk, many(pk, 50), 24, 0);
  const [first] = lanes.take(50);
  lanes.taken(first?.pk ?? '', 50);
  const [second] = lanes.take(50);
  expect([first?.pk, second?.pk]).toEqual(['a', 'b']);
});

it('puts back in front what nobody looked at, each to where it was', () => {
  const lanes = withEntries(entry('cool', '1'), entry('cool', '2'));
  lanes.throttled('hot', [entry('hot', 'h1'), entry('hot', 'h2')], 1, 0);
  const batch = [...lanes.take(50), ...lanes.take(50)];
  lanes.add(entry('cool', '3'));
  lanes.putBack(batch, 60);
  expect(names(lanes.take(59))).toEqual(['1', '2', '3']);
  expect(names(lanes.take(60))).toEqual(['h1', 'h2']);
});
