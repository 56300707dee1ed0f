import { epoch, hour, key, outcomeOf, put, simulateTable, TableName } from './simulated-table.ts';
import type { Item } from '@engawa/dynamodb-simulator/rules';
import type { SimulatedTable } from './simulated-table.ts';

const inIndex = (sk: string): Item => ({ gsi2pk: { S: 'g' }, gsi2sk: { S: sk } });

function sortsIn(table: SimulatedTable, IndexName?: 'gsi2'): string[] {
  const prefix = IndexName ?? '';
  const { body } = table.handle('Query', {
    ...(IndexName && { IndexName }),
    KeyConditionExpression: `${prefix}pk = :p`,
    ExpressionAttributeValues: { ':p': { S: IndexName === undefined ? 'a' : 'g' } },
  });
  return (body['Items'] as Item[]).map((item) => item[`${prefix}sk`]?.S ?? '');
}

describe('a lagging index', () => {
  it('shows a write after its delay, and the table shows it at once', async () => {
    const table = simulateTable({ indexLagMs: () => 500 });
    table.handle('PutItem', put('a', inIndex('x')));
    expect([sortsIn(table), sortsIn(table, 'gsi2')]).toEqual([['1'], []]);
    await table.play(499);
    expect(sortsIn(table, 'gsi2')).toEqual([]);
    await table.play(1);
    expect(sortsIn(table, 'gsi2')).toEqual(['x']);
    table.handle('DeleteItem', { Key: key('a') });
    expect([sortsIn(table), sortsIn(table, 'gsi2')]).toEqual([[], ['x']]);
    await table.play(500);
    expect(sortsIn(table, 'gsi2')).toEqual([]);
  });

  it('shows writes of one item in order, and writes of two items in any order', async () => {
    const lags = [500, 10, 10];
    const table = simulateTable({ indexLagMs: () => lags.shift() ?? 0 });
    table.handle('PutItem', put('a', inIndex('old')));
    table.handle('PutItem', put('a', inIndex('new')));
    table.handle('PutItem', put('b', inIndex('other')));
    await table.play(10);
    expect(sortsIn(table, 'gsi2')).toEqual(['other']);
    await table.play(490);
    expect(sortsIn(table, 'gsi2')).toEqual(['new', 'other']);
  });
});

describe('time to live', () => {
  const ttl = (secondsFromEpoch: number) => ({
    ttl: { N: String(epoch / 1000 + secondsFromEpoch) },
  });
  const pks = (table: SimulatedTable) => [...table.model.items()].map(({ pk }) => pk?.S);

  function expiring(delayMs: number): SimulatedTable {
    const table = simulateTable({ ttlDelayMs: () => delayMs });
    const TimeToLiveSpecification = { AttributeName: 'ttl', Enabled: true };
    expect(table.handle('UpdateTimeToLive', { TimeToLiveSpecification }).status).toBe(200);
    return table;
  }

  it('deletes an expired item after a delay, in the table and its indexes', async () => {
    const table = expiring(24 * hour);
    table.handle('PutItem', put('a', { ...ttl(3600), ...inIndex('x') }));
    table.handle('PutItem', put('b'));
    await table.play(25 * hour - 1);
    expect(sortsIn(table, 'gsi2')).toEqual(['x']);
    await table.play(1);
    expect([pks(table), sortsIn(table, 'gsi2')]).toEqual([['b'], []]);
  });

  it('ignores the former expiry of an item whose expiry was changed or removed', async () => {
    const table = expiring(0);
    for (const pk of ['a', 'b', 'c']) table.handle('PutItem', put(pk, ttl(10)));
    table.handle('PutItem', put('a', ttl(20)));
    table.handle('PutItem', put('b'));
    await table.play(10_000);
    expect(pks(table)).toEqual(['a', 'b']);
    await table.play(10_000);
    expect(pks(table)).toEqual(['b']);
  });

  it('keeps items whose expiry is no number or five years old, and all items when it is disabled', async () => {
    const table = expiring(0);
    table.handle('PutItem', put('text', { ttl: { S: '1' } }));
    table.handle('PutItem', put('old', { ttl: { N: '1000' } }));
    table.handle('PutItem', put('past', ttl(-10)));
    expect(pks(table)).toEqual(['text', 'old']);
    const off = simulateTable({ ttlDelayMs: () => 0 });
    off.handle('PutItem', put('a', ttl(1)));
    await off.play(hour);
    expect(pks(off)).toEqual(['a']);
  });

  it('applies to items that existed before it was enabled', async () => {
    const table = simulateTable({ ttlDelayMs: () => 0 });
    table.handle('PutItem', put('a', ttl(1)));
    const TimeToLiveSpecification = { AttributeName: 'ttl', Enabled: true };
    table.handle('UpdateTimeToLive', { TimeToLiveSpecification });
    expect(table.handle('UpdateTimeToLive', { TimeToLiveSpecification }).status).toBe(400);
    await table.play(1000);
    expect(pks(table)).toEqual([]);
  });
});

describe('the token of a transaction', () => {
  const count = (by: string) => ({
    Update: {
      TableName,
      Key: key('a'),
      UpdateExpression: 'ADD n :by',
      ExpressionAttributeValues: { ':by': { N: by } },
    },
  });
  const transact = (table: SimulatedTable, by = '1') =>
    table.model.handle('TransactWriteItems', {
      TransactItems: [count(by)],
      ClientRequestToken: 'token',
      ReturnConsumedCapacity: 'TOTAL',
    });
  const countOf = (table: SimulatedTable) => [...table.model.items()][0]?.['n']?.N;

  it('makes a repeated request succeed without a write for ten minutes', async () => {
    const table = simulateTable();
    const unitsOf = () => {
      const { status, body } = transact(table);
      return [status, (body['ConsumedCapacity'] as object[])[0]];
    };
    const WriteCapacityUnits = 2;
    const units = { TableName, CapacityUnits: 2 };
    expect(unitsOf()).toEqual([200, { ...units, WriteCapacityUnits }]);
    await table.play(10 * 60_000 - 1);
    expect(unitsOf()).toEqual([200, { ...units, ReadCapacityUnits: 2 }]);
    expect(countOf(table)).toBe('1');
    await table.play(1);
    transact(table);
    expect(countOf(table)).toBe('2');
  });

  it('is rejected for another request, and reusable after a cancelled transaction', () => {
    const table = simulateTable();
    table.handle('PutItem', put('a', { n: { S: 'text' } }));
    expect(outcomeOf(transact(table))).toBe('TransactionCanceledException');
    table.handle('PutItem', put('a'));
    expect(outcomeOf(transact(table))).toBe('200');
    expect(outcomeOf(transact(table, '2'))).toBe('IdempotentParameterMismatchException');
    expect(countOf(table)).toBe('1');
  });
});
