import {
  BatchGetItemCommand,
  GetItemCommand,
  QueryCommand,
  ScanCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { failureOf, item, SimulatorFixture } from './simulator-fixture.ts';

/** One unit per ten seconds with a burst of three: no unit is regained while a test runs. */
const scarce = { partition: { write: 0.1, read: 0.1 }, burstSeconds: 30 };

let fixture: SimulatorFixture;

beforeEach(async () => {
  fixture = await SimulatorFixture.open();
});
afterEach(() => fixture.close());

describe('a hot partition key', () => {
  it('is throttled alone, with the reason and the ARN of the table', async () => {
    fixture.simulator.setLimits(scarce);
    for (const sk of ['1', '2', '3']) await fixture.put(item('hot', sk));
    const failure = await failureOf(fixture.put(item('hot', '4')));
    expect(failure).toMatchObject({
      name: 'ThrottlingException',
      throttlingReasons: [
        {
          reason: 'TableWriteKeyRangeThroughputExceeded',
          resource: expect.stringMatching(/:table\/things-[^/]+$/) as string,
        },
      ],
    });
    await fixture.put(item('cool', '1'));
  });

  it('has the exception and the reason spelling of provisioned mode', async () => {
    fixture.simulator.setLimits({ ...scarce, billing: 'provisioned' });
    for (const sk of ['1', '2', '3']) await fixture.put(item('hot', sk));
    expect(await failureOf(fixture.put(item('hot', '4')))).toMatchObject({
      name: 'ProvisionedThroughputExceededException',
      ThrottlingReasons: [{ reason: 'TableWriteKeyRangeThroughputExceeded' }],
    });
  });

  it('is charged per started kilobyte of the larger of old and new item', async () => {
    fixture.simulator.setLimits(scarce);
    const { ConsumedCapacity } = await fixture.put(
      item('big', '1', { x: { S: 'x'.repeat(2500) } }),
    );
    expect(ConsumedCapacity).toEqual({
      TableName: fixture.tableName,
      CapacityUnits: 3,
      Table: { CapacityUnits: 3 },
    });
    expect(await failureOf(fixture.put(item('big', '2')))).toMatchObject({
      name: 'ThrottlingException',
    });
    fixture.simulator.setLimits(scarce);
    const smaller = await fixture.put(item('big', '1'));
    expect(smaller.ConsumedCapacity?.CapacityUnits).toBe(3);
  });

  it('regains units over time', async () => {
    fixture.simulator.setLimits({ partition: { write: 50 }, burstSeconds: 0.02 });
    await fixture.put(item('hot', '1'));
    let attempts = 0;
    for (let stored = 1; stored < 5; attempts++) {
      await fixture.put(item('hot', String(stored))).then(
        () => stored++,
        () => undefined,
      );
    }
    expect(attempts).toBeGreaterThanOrEqual(4);
  });
});

describe('a batch', () => {
  it('returns items of the hot key as unprocessed, and stores the others', async () => {
    fixture.simulator.setLimits(scarce);
    const hot = ['1', '2', '3', '4', '5'].map((sk) => item('hot', sk));
    const answer = await fixture.batch([...hot, item('cool', '1')]);
    expect(answer.UnprocessedItems?.[fixture.tableName]).toEqual(
      hot.slice(3).map((Item) => ({ PutRequest: { Item } })),
    );
    expect(answer.ConsumedCapacity?.[0]?.CapacityUnits).toBe(4);
  });

  it('is rejected as a whole when all its items are throttled', async () => {
    fixture.simulator.setLimits({ partition: { write: 0.1 }, burstSeconds: 10 });
    await fixture.put(item('hot', '1'));
    const failure = await failureOf(fixture.batch([item('hot', '2'), item('hot', '3')]));
    expect(failure).toMatchObject({ name: 'ThrottlingException' });
  });

  it('of keys is returned in part', async () => {
    await fixture.batch([item('a', '1'), item('b', '1')]);
    fixture.simulator.setLimits({ partition: { read: 0.1 }, burstSeconds: 5 });
    const Keys = [item('a', '1'), item('a', '2'), item('b', '1')];
    const asked = new BatchGetItemCommand({ RequestItems: { [fixture.tableName]: { Keys } } });
    const answer = await fixture.client.send(asked);
    expect(answer.Responses?.[fixture.tableName]).toHaveLength(2);
    expect(answer.UnprocessedKeys?.[fixture.tableName]?.Keys).toEqual([item('a', '2')]);
  });
});

describe('an index', () => {
  const ranked = (sk: string) => item(`p${sk}`, sk, { board: { S: 'all' }, rank: { S: sk } });

  it("throttles the table's writes when its own key is hot, and is named in the reason", async () => {
    fixture.simulator.setLimits(scarce);
    for (const sk of ['1', '2', '3']) await fixture.put(ranked(sk));
    expect(await failureOf(fixture.put(ranked('4')))).toMatchObject({
      throttlingReasons: [
        {
          reason: 'IndexWriteKeyRangeThroughputExceeded',
          resource: expect.stringMatching(/:table\/things-[^/]+\/index\/byRank$/) as string,
        },
      ],
    });
  });

  it("costs two writes when an item's index key changes, and none when no projected attribute changes", async () => {
    await fixture.put(ranked('1'));
    const update = (attribute: string) =>
      new UpdateItemCommand({
        TableName: fixture.tableName,
        Key: item('p1', '1'),
        UpdateExpression: 'SET #a = :v',
        ExpressionAttributeNames: { '#a': attribute },
        ExpressionAttributeValues: { ':v': { S: 'new' } },
        ReturnConsumedCapacity: 'INDEXES',
      });
    const units = async (attribute: string) =>
      (await fixture.client.send(update(attribute))).ConsumedCapacity?.GlobalSecondaryIndexes;
    expect(await units('rank')).toEqual({ byRank: { CapacityUnits: 2 } });
    expect(await units('name')).toEqual({ byRank: { CapacityUnits: 1 } });
    expect(await units('note')).toBeUndefined();
  });

  it('throttles an update that moves an item in it', async () => {
    for (const sk of ['1', '2']) await fixture.put(ranked(sk));
    fixture.simulator.setLimits(scarce);
    const move = (pk: string) =>
      fixture.client.send(
        new UpdateItemCommand({
          TableName: fixture.tableName,
          Key: item(pk, pk.slice(1)),
          UpdateExpression: 'SET #r = :v',
          ExpressionAttributeNames: { '#r': 'rank' },
          ExpressionAttributeValues: { ':v': { S: 'moved' } },
        }),
      );
    await move('p1');
    expect(await failureOf(move('p2'))).toMatchObject({
      throttlingReasons: [{ reason: 'IndexWriteKeyRangeThroughputExceeded' }],
    });
  });
});

describe('a transaction', () => {
  it('is cancelled with a code for the throttled action, and writes nothing', async () => {
    fixture.simulator.setLimits({ partition: { write: 0.1 }, burstSeconds: 30 });
    await fixture.put(item('hot', '1'));
    await fixture.put(item('hot', '2'));
    const TransactItems = ['cool', 'hot'].map((pk) => ({
      Put: { TableName: fixture.tableName, Item: item(pk, 'new') },
    }));
    const failure = await failureOf(
      fixture.client.send(new TransactWriteItemsCommand({ TransactItems })),
    );
    expect(failure).toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'ThrottlingError' }],
    });
    const get = new GetItemCommand({ TableName: fixture.tableName, Key: item('cool', 'new') });
    expect((await fixture.client.send(get)).Item).toBeUndefined();
  });

  it('of reads is cancelled with a code for the throttled read', async () => {
    fixture.simulator.setLimits({ partition: { read: 0.1 }, burstSeconds: 30 });
    const TransactItems = ['cool', 'hot'].map((pk) => ({
      Get: { TableName: fixture.tableName, Key: item(pk, '1') },
    }));
    const read = (...gets: typeof TransactItems) =>
      fixture.client.send(new TransactGetItemsCommand({ TransactItems: gets }));
    await read(...TransactItems.slice(1));
    expect(await failureOf(read(...TransactItems))).toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'ThrottlingError' }],
    });
  });
});

describe('reads', () => {
  const query = () =>
    new QueryCommand({
      TableName: fixture.tableName,
      KeyConditionExpression: '#pk = :pk AND begins_with(sk, :sk)',
      ExpressionAttributeNames: { '#pk': 'pk' },
      ExpressionAttributeValues: { ':pk': { S: 'hot' }, ':sk': { S: '1' } },
    });

  it('are throttled by their key once its units are used up', async () => {
    await fixture.put(item('hot', '1', { x: { S: 'x'.repeat(8000) } }));
    fixture.simulator.setLimits({ partition: { read: 0.1 }, burstSeconds: 10 });
    await fixture.client.send(query());
    expect(await failureOf(fixture.client.send(query()))).toMatchObject({
      throttlingReasons: [{ reason: 'TableReadKeyRangeThroughputExceeded' }],
    });
    await fixture.client.send(new ScanCommand({ TableName: fixture.tableName }));
  });

  it('return consumed capacity only on request', async () => {
    const silent = await fixture.client.send(query());
    expect(silent.ConsumedCapacity).toBeUndefined();
    const told = await fixture.client.send(
      new QueryCommand({ ...query().input, ReturnConsumedCapacity: 'TOTAL' }),
    );
    expect(told.ConsumedCapacity).toEqual({ TableName: fixture.tableName, CapacityUnits: 0.5 });
  });
});
