import {
  BatchGetItemCommand,
  PutItemCommand,
  DeleteItemCommand,
  QueryCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { failureOf, item, SimulatorFixture } from './simulator-fixture.ts';
import type { ConsumedCapacity, TransactWriteItem } from '@aws-sdk/client-dynamodb';

/**
 * Capacity units that DynamoDB charges (developer guide, "DynamoDB read and write operations"). The simulator computes
 * them; figures of the engine behind are ignored.
 */
let fixture: SimulatorFixture;
beforeAll(async () => (fixture = await SimulatorFixture.open()));
afterAll(() => fixture.close());

const ranked = (board: string, rank = '1') => ({ board: { S: board }, rank: { S: rank } });
const sized = (bytes: number) => ({ text: { S: 'x'.repeat(bytes) } });
const ReturnConsumedCapacity = 'INDEXES' as const;

/** Units that the limits have charged. */
const counted = () => fixture.simulator.counters.read().units;

function unitsOf(consumed: ConsumedCapacity | undefined) {
  return {
    table: consumed?.Table?.CapacityUnits,
    byRank: consumed?.GlobalSecondaryIndexes?.['byRank']?.CapacityUnits,
  };
}

async function transact(...TransactItems: TransactWriteItem[]) {
  const command = new TransactWriteItemsCommand({ TransactItems, ReturnConsumedCapacity });
  const { ConsumedCapacity } = await fixture.client.send(command);
  return unitsOf(ConsumedCapacity?.[0]);
}

it('charges an index for projected attributes only', async () => {
  const { ConsumedCapacity } = await fixture.put(
    item('wide', '1', { ...ranked('a'), ...sized(2500) }),
  );
  expect(unitsOf(ConsumedCapacity)).toEqual({ table: 3, byRank: 1 });
});

it('charges an index once for a changed attribute, twice for a changed key, and not for other changes', async () => {
  const set = async (name: string, value: string) => {
    const update = new UpdateItemCommand({
      TableName: fixture.tableName,
      Key: item('changed', '1'),
      UpdateExpression: 'SET #name = :value',
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: { ':value': { S: value } },
      ReturnConsumedCapacity,
    });
    return unitsOf((await fixture.client.send(update)).ConsumedCapacity).byRank;
  };
  await fixture.put(item('changed', '1', { ...ranked('a'), name: { S: 'before' } }));
  expect(await set('name', 'after')).toBe(1);
  expect(await set('name', 'after')).toBeUndefined();
  expect(await set('kind', 'other')).toBeUndefined();
  expect(await set('rank', '2')).toBe(2);
});

it('charges each write of a transaction twice, but once for indexes', async () => {
  const TableName = fixture.tableName;
  const Item = item('transacted', '1', { ...ranked('a'), ...sized(2500) });
  expect(await transact({ Put: { TableName, Item } })).toEqual({ table: 6, byRank: 1 });
  const moved = {
    TableName,
    Key: item('transacted', '1'),
    UpdateExpression: 'SET board = :board',
    ExpressionAttributeValues: { ':board': { S: 'b' } },
  };
  expect(await transact({ Update: moved })).toEqual({ table: 6, byRank: 2 });
  const absent = {
    TableName,
    Key: item('absent', '1'),
    ConditionExpression: 'attribute_not_exists(pk)',
  };
  expect(await transact({ ConditionCheck: absent })).toEqual({ table: 2, byRank: undefined });
});

it('charges a write whose condition fails by the size of the existing item, and no index', async () => {
  await fixture.put(item('conditional', '1', sized(2500)));
  fixture.simulator.counters.reset();
  const put = new PutItemCommand({
    TableName: fixture.tableName,
    Item: item('conditional', '1', { ...ranked('a'), ...sized(9000) }),
    ConditionExpression: 'attribute_not_exists(pk)',
  });
  expect(await failureOf(fixture.client.send(put))).toMatchObject({
    name: 'ConditionalCheckFailedException',
  });
  expect(counted()).toEqual({ 'table write': 3 });
});

it('tells reads and writes apart in the capacity of a transaction', async () => {
  const TableName = fixture.tableName;
  const capacityOf = async (command: TransactWriteItemsCommand | TransactGetItemsCommand) =>
    (await fixture.client.send(command as TransactGetItemsCommand)).ConsumedCapacity;
  const Put = { TableName, Item: item('kinds', '1', ranked('a')) };
  const Get = { TableName, Key: item('kinds', '1') };
  const written = new TransactWriteItemsCommand({
    TransactItems: [{ Put }],
    ReturnConsumedCapacity,
  });
  const read = new TransactGetItemsCommand({ TransactItems: [{ Get }], ReturnConsumedCapacity });
  expect(await capacityOf(written)).toMatchObject([
    {
      ...{ CapacityUnits: 3, WriteCapacityUnits: 3, Table: { WriteCapacityUnits: 2 } },
      GlobalSecondaryIndexes: { byRank: { WriteCapacityUnits: 1 } },
    },
  ]);
  expect(await capacityOf(read)).toMatchObject([{ CapacityUnits: 2, ReadCapacityUnits: 2 }]);
});

it('charges each read of a transaction twice, by the size of its item, also for a missing item', async () => {
  const TableName = fixture.tableName;
  await fixture.put(item('read', '1', sized(9000)));
  const TransactItems = ['1', 'absent'].map((sk) => ({
    Get: { TableName, Key: item('read', sk) },
  }));
  const command = new TransactGetItemsCommand({ TransactItems, ReturnConsumedCapacity });
  fixture.simulator.counters.reset();
  const { ConsumedCapacity } = await fixture.client.send(command);
  expect(unitsOf(ConsumedCapacity?.[0]).table).toBe(2 * 3 + 2);
  // The limits charge the same units.
  expect(counted()).toEqual({ 'table read': 2 * 3 + 2 });
});

it('charges a read or deletion of a missing item as the smallest item', async () => {
  const TableName = fixture.tableName;
  const Key = item('nobody', '1');
  const deleted = await fixture.client.send(
    new DeleteItemCommand({ TableName, Key, ReturnConsumedCapacity }),
  );
  expect(unitsOf(deleted.ConsumedCapacity).table).toBe(1);
  const RequestItems = { [TableName]: { Keys: [Key] } };
  const read = await fixture.client.send(
    new BatchGetItemCommand({ RequestItems, ReturnConsumedCapacity }),
  );
  expect(unitsOf(read.ConsumedCapacity?.[0]).table).toBe(0.5);
});

it('charges a Query of an index by the total size of the projected items', async () => {
  for (const id of ['1', '2', '3']) {
    const name = { name: { S: 'x'.repeat(3000) } };
    await fixture.put(item(id, '1', { ...ranked('summed', id), ...name, ...sized(5000) }));
  }
  const query = new QueryCommand({
    TableName: fixture.tableName,
    IndexName: 'byRank',
    KeyConditionExpression: 'board = :board',
    ExpressionAttributeValues: { ':board': { S: 'summed' } },
    ReturnConsumedCapacity,
  });
  const { ConsumedCapacity } = await fixture.client.send(query);
  expect(unitsOf(ConsumedCapacity)).toEqual({ table: 0, byRank: 1.5 });
});
