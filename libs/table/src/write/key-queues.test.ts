import { defaultRequestBytes, KeyQueues } from './key-queues.ts';

interface QueueEntry {
  pk: string;
  bytes: number;
  name: string;
}

const entry = (pk: string, name = pk, bytes = 100): QueueEntry => ({ pk, bytes, name });
const names = (entries: readonly QueueEntry[]) => entries.map(({ name }) => name);

function withEntries(...entries: QueueEntry[]): KeyQueues<QueueEntry> {
  const queues = new KeyQueues<QueueEntry>(() => 1);
  for (const each of entries) queues.add(each);
  return queues;
}

/** This many entries of one key. */
const many = (pk: string, count: number) =>
  Array.from({ length: count }, (_, index) => entry(pk, `${pk}${index}`));

/** A queue of this key that waits until 50 and then sends a whole batch. */
function widen(queues: KeyQueues<QueueEntry>, pk: string): void {
  queues.throttled(pk, { returned: [entry(pk, 'first')], taken: 24 }, 0);
  queues.takeThrottled(50);
  queues.throttled(pk, { returned: [entry(pk, 'first')], taken: 24 }, 0);
}

it('returns batches of 25 in order', () => {
  const queues = withEntries(...many('a', 30));
  expect(queues.hasFullBatch).toBe(true);
  expect(names(queues.takeOpen())).toEqual(names(many('a', 25)));
  expect(queues.hasFullBatch).toBe(false);
  expect(queues.takeOpen()).toHaveLength(5);
  expect(queues.takeOpen()).toEqual([]);
});

it('keeps a batch within its bytes', () => {
  // The rest of the request takes up to 4 KB.
  const half = (defaultRequestBytes - 4096) / 2;
  const queues = withEntries(entry('a', '1', half), entry('b', '2', half), entry('c', '3', 1));
  expect(names(queues.takeOpen())).toEqual(['1', '2']);
  expect(names(queues.takeOpen())).toEqual(['3']);
});

it('sends an entry alone that is larger than a batch', () => {
  const queues = withEntries(entry('a', '1', 2_000_000), entry('b', '2', 1));
  expect(names(queues.takeOpen())).toEqual(['1']);
  expect(names(queues.takeOpen())).toEqual(['2']);
});

it('lets other keys pass a throttled key, and moves its waiting entries to its queue', () => {
  const queues = withEntries(entry('hot', '1'), entry('cool', '2'), entry('hot', '3'));
  const [first] = queues.takeOpen().splice(0, 1);
  queues.add(entry('hot', '4'));
  queues.add(entry('cool', '5'));
  queues.throttled('hot', { returned: [first ?? entry('')], taken: 0 }, 1000);
  queues.add(entry('hot', '6'));
  expect(queues.dueAt).toBe(1050);
  expect(names(queues.takeOpen())).toEqual(['5']);
  expect(names(queues.takeThrottled(1050))).toEqual(['1']);
  queues.taken('hot', 1060);
  expect(names(queues.takeThrottled(1060))).toEqual(['4', '6']);
});

it('doubles the backoff each time, and resets it when an item is accepted', () => {
  const queues = withEntries();
  const waits = [0, 0, 0, 1, 0].map((taken) => {
    queues.throttled('hot', { returned: [entry('hot')], taken: taken }, 0);
    const wait = queues.dueAt;
    queues.takeThrottled(wait);
    return wait;
  });
  expect(waits).toEqual([50, 100, 200, 50, 100]);
});

it('counts batches in flight together as one failure of the key', () => {
  const queues = withEntries();
  queues.throttled('hot', { returned: [entry('hot', '1')], taken: 0 }, 0);
  queues.throttled('hot', { returned: [entry('hot', '2')], taken: 0 }, 10);
  queues.taken('hot', 20);
  expect(queues.dueAt).toBe(50);
  expect(queues.takeThrottled(49)).toEqual([]);
  expect(queues.takeThrottled(50)).toHaveLength(1);
});

it('sends slightly more entries than were accepted last time, to limit rejected writes', () => {
  const queues = withEntries();
  queues.throttled('hot', { returned: many('hot', 200), taken: 0 }, 0);
  const tried = (taken: number): number => {
    const batch = queues.takeThrottled(queues.dueAt);
    if (taken < batch.length)
      queues.throttled('hot', { returned: batch.slice(taken), taken: taken }, 0);
    else queues.taken('hot', 0);
    return batch.length;
  };
  // All accepted: twice as many each time, up to a batch. Then fewer and fewer.
  expect([1, 2, 4, 8, 16, 25, 25, 10, 3, 0, 0, 0, 0].map(tried)).toEqual([
    1, 2, 4, 8, 16, 25, 25, 25, 11, 4, 2, 1, 1,
  ]);
});

it('sends one batch of a key queue at a time', () => {
  const queues = withEntries();
  widen(queues, 'hot');
  for (const each of many('hot', 29)) queues.add(each);
  expect(queues.takeThrottled(50)).toHaveLength(25);
  expect(queues.takeThrottled(99_999)).toEqual([]);
  expect(queues.dueAt).toBe(Infinity);
  queues.taken('hot', 60);
  expect(queues.dueAt).toBe(60);
  expect(queues.takeThrottled(60)).toHaveLength(5);
  queues.taken('hot', 70);
  queues.add(entry('hot', 'later'));
  expect(names(queues.takeOpen())).toEqual(['later']);
});

it('never mixes the open queue and the key queues in a batch', () => {
  const queues = withEntries();
  widen(queues, 'hot');
  for (const each of [...many('hot', 49), ...many('cool', 10)]) queues.add(each);
  const pks = (batch: readonly QueueEntry[]) => new Set(batch.map(({ pk }) => pk));
  expect([pks(queues.takeOpen()), pks(queues.takeThrottled(50))]).toEqual([
    new Set(['cool']),
    new Set(['hot']),
  ]);
});

it('alternates between keys', () => {
  const queues = withEntries();
  for (const pk of ['a', 'b']) queues.throttled(pk, { returned: many(pk, 50), taken: 24 }, 0);
  const [first] = queues.takeThrottled(50);
  queues.taken(first?.pk ?? '', 50);
  const [second] = queues.takeThrottled(50);
  expect([first?.pk, second?.pk]).toEqual(['a', 'b']);
});

it('returns entries of a failed request to the front of their queues', () => {
  const queues = withEntries(entry('cool', '1'), entry('cool', '2'));
  queues.throttled('hot', { returned: [entry('hot', 'h1'), entry('hot', 'h2')], taken: 1 }, 0);
  const batch = [...queues.takeOpen(), ...queues.takeThrottled(50)];
  queues.add(entry('cool', '3'));
  queues.putBack(batch, 60);
  expect(names(queues.takeOpen())).toEqual(['1', '2', '3']);
  expect(names(queues.takeThrottled(60))).toEqual(['h1', 'h2']);
});

describe('a key queue without entries', () => {
  /** A key whose only entry was throttled at 0 and then rejected; its next attempt may start at 50. */
  function withEmptyQueue(): KeyQueues<QueueEntry> {
    const queues = withEntries();
    queues.throttled('hot', { returned: [entry('hot')], taken: 0 }, 0);
    queues.revise('hot', () => undefined);
    return queues;
  }

  it('sends the next entry after its backoff, and continues the count of failures', () => {
    const queues = withEmptyQueue();
    expect(queues.mustWait('hot', 49)).toBe(true);
    expect(queues.mustWait('hot', 50)).toBe(false);
    queues.add(entry('hot', 'second'));
    expect(queues.mustWait('hot', 50)).toBe(true);
    expect(names(queues.takeThrottled(50))).toEqual(['second']);
    expect(queues.mustWait('hot', 50)).toBe(true);
    queues.throttled('hot', { returned: [entry('hot')], taken: 0 }, 50);
    queues.revise('hot', () => undefined);
    expect(queues.mustWait('hot', 149)).toBe(true);
    expect(queues.mustWait('hot', 150)).toBe(false);
  });

  it('closes when its entry is accepted', () => {
    const queues = withEmptyQueue();
    queues.add(entry('hot', 'second'));
    queues.takeThrottled(50);
    queues.taken('hot', 60);
    expect(queues.hasThrottledKeys).toBe(false);
  });

  it('closes a second later without entries, and schedules no attempt until then', () => {
    const queues = withEmptyQueue();
    expect(queues.takeThrottled(50)).toEqual([]);
    expect(queues.dueAt).toBe(1050);
    expect(queues.takeThrottled(1050)).toEqual([]);
    expect(queues.hasThrottledKeys).toBe(false);
    expect(queues.dueAt).toBe(Infinity);
  });
});

it('distinguishes a throttled key from a throttled table', () => {
  const queues = withEntries();
  queues.throttled('key', { returned: [entry('key')], taken: 0 }, 0);
  queues.throttled('table', { returned: [entry('table')], taken: 0, isTableWide: true }, 0);
  expect([queues.isThrottledAlone('key'), queues.isThrottledAlone('table')]).toEqual([true, false]);
  for (const { pk } of Array.from({ length: 16 }, (_, index) => entry(`KEY#${index}#x`))) {
    queues.throttled(pk, { returned: [entry(pk)], taken: 0 }, 0);
  }
  expect(queues.throttlesAll).toBe(true);
  expect(queues.isThrottledAlone('key')).toBe(false);
});
