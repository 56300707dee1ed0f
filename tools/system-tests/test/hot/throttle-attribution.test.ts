import { adviseOnPartition } from '@engawa/heat';
import { deviceListPartition, devicePartition } from '@engawa/keys';
import { openBeforeEach } from '@engawa/testing';
import { LimitedTable } from './limited-table.ts';
import type { PartitionHeat } from '@engawa/heat';
import type { TableItem } from '@engawa/table';

const limited = openBeforeEach(() => LimitedTable.open());

const writing = { partition: { write: 5 }, burstSeconds: 1 };

/** Writes all concurrently by the batch writer, which retries without limit. */
async function store(items: readonly TableItem[]): Promise<void> {
  const writer = limited.table.batchWriter();
  try {
    await Promise.all(items.map((item) => writer.put(item)));
  } finally {
    writer.close();
  }
}

/** `index key` of throttled partitions, the hottest first. */
function throttled(unit: 'read' | 'write'): string[] {
  const isThrottled = ({ throttlesPerSecond }: PartitionHeat) =>
    Object.keys(throttlesPerSecond).length > 0;
  return ['table', 'gsi1', 'gsi2']
    .flatMap((index) => limited.top({ index, unit }))
    .filter(isThrottled)
    .map(({ index, partition }) => `${index} ${partition}`);
}

const list = deviceListPartition(0);
const device = (number: number) => ({
  pk: devicePartition(`d${number}`),
  sk: 'DEVICE',
  gsi1pk: list,
  gsi1sk: String(number),
});

describe('a hot index key', () => {
  it('is identified, and not the many keys of the table that it throttles', async () => {
    limited.simulator.setLimits(writing);
    await store(Array.from({ length: 20 }, (_, number) => device(number)));

    expect(throttled('write')).toEqual([`gsi1 ${list}`]);
    const changes = limited.heat.tick(performance.now());
    expect(changes.map(({ heat }) => heat.partition)).toEqual([list]);
    const reason = 'IndexWriteKeyRangeThroughputExceeded';
    expect(await limited.throttled({ operation: 'BatchWriteItem', index: 'table' })).toBe(0);
    expect(await limited.throttled({ index: 'gsi1', reason, scope: 'key_range' })).toBeGreaterThan(
      0,
    );

    const [heat] = limited.heat.hot(performance.now());
    if (heat === undefined) throw new Error('nothing is hot');
    const [first] = adviseOnPartition({ heat, shards: 1, grows: true });
    expect(first).toMatchObject({ code: 'writes-of-index', values: { index: 'gsi1' } });
  });

  it('is identified as the cause of cancelled transactions', async () => {
    limited.simulator.setLimits(writing);
    const outcomes: boolean[] = [];
    for (let number = 0; number < 10; number++) {
      const other = { put: { pk: `other ${number}`, sk: 's' } };
      const writes = [{ put: device(number) }, other];
      const isTaken = limited.table.transact(writes).then(() => true);
      outcomes.push(await isTaken.catch(() => false));
    }
    expect(new Set(outcomes)).toEqual(new Set([true, false]));
    expect(throttled('write')).toEqual([`gsi1 ${list}`]);
    const labels = { operation: 'TransactWriteItems', reason: 'ThrottlingError', scope: 'other' };
    const cancelled = outcomes.filter((taken) => !taken).length;
    expect(await limited.throttled({ ...labels, index: 'gsi1' })).toBe(cancelled);
    expect(await limited.throttled({})).toBe(cancelled);
  });
});

describe('a hot key of the table', () => {
  it('is identified as the cause of unprocessed items, and not the other keys of the batch', async () => {
    limited.simulator.setLimits(writing);
    const hot = Array.from({ length: 15 }, (_, number) => ({ pk: 'hot', sk: String(number) }));
    const cold = Array.from({ length: 30 }, (_, number) => ({ pk: `cold ${number}`, sk: 's' }));
    await store([...hot, ...cold].sort((left, right) => left.sk.localeCompare(right.sk)));

    expect(throttled('write')).toEqual(['table hot']);
    const labels = { operation: 'BatchWriteItem', index: 'table' };
    const unprocessed = { ...labels, reason: 'unprocessed', scope: 'other' };
    expect(await limited.throttled(unprocessed)).toBeGreaterThan(0);
    const [heat] = limited.top({ index: 'table', unit: 'write' });
    expect(heat).toMatchObject({ partition: 'hot' });
    expect(heat?.throttlesPerSecond.other).toBeGreaterThan(0);
  });

  it('is identified as the cause of unprocessed keys of a batch read', async () => {
    const keys = ['hot', 'cold 1', 'cold 2'].map((pk) => ({ pk, sk: 's' }));
    await store(keys);
    limited.simulator.setFaults([
      {
        operations: ['BatchGetItem'],
        partitionKey: 'hot',
        times: 2,
        fault: { kind: 'unprocessed' },
      },
    ]);
    expect((await limited.table.getAll(keys)).items).toHaveLength(3);
    expect(throttled('read')).toEqual(['table hot']);
    const labels = { operation: 'BatchGetItem', index: 'table', reason: 'unprocessed' };
    expect(await limited.throttled(labels)).toBe(2);
    const units = limited.top({ index: 'table', unit: 'read' });
    expect(units.map(({ partition }) => partition).sort()).toEqual(['cold 1', 'cold 2', 'hot']);
  });
});
