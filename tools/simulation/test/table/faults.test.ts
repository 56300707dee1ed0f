import { codesOf, get, key, outcomeOf, put, simulateTable, TableName } from './simulated-table.ts';
import type { Document, Item } from '@engawa/dynamodb-simulator/rules';
import type { TableFault } from '../../src/table/table-faults.ts';
import type { TableResponse } from '../../src/table/table-endpoint.ts';

function withFaults(...faults: TableFault[]) {
  const table = simulateTable();
  table.endpoint.faults.set(faults);
  return table;
}

const bodyOf = (answer: TableResponse) => (answer as { body: Document }).body;
const batch = (...pks: string[]) => ({
  RequestItems: { [TableName]: pks.map((pk) => ({ PutRequest: { Item: key(pk) } })) },
});
const transaction = (...items: Item[]) => ({
  TransactItems: items.map((Item) => ({ Put: { TableName, Item } })),
});
const pksIn = ({ model }: ReturnType<typeof simulateTable>) =>
  [...model.items()].map(({ pk }) => pk?.S);

describe('a throttle', () => {
  it('of a key rejects writes of the key, and names the table', async () => {
    const table = withFaults({ fault: { kind: 'throttle' }, partitionKey: 'hot', unit: 'write' });
    const answer = await table.ask('PutItem', put('hot'));
    expect(outcomeOf(answer)).toBe('ThrottlingException');
    expect(bodyOf(answer)['throttlingReasons']).toEqual([
      {
        reason: 'TableWriteKeyRangeThroughputExceeded',
        resource: 'arn:aws:dynamodb:local:000000000000:table/things',
      },
    ]);
    expect(outcomeOf(await table.ask('GetItem', get('hot')))).toBe('200');
    expect(outcomeOf(await table.ask('PutItem', put('cool')))).toBe('200');
    expect([pksIn(table), table.endpoint.met.throttle]).toEqual([['cool'], 1]);
  });

  it("of an index rejects the table’s writes, with DynamoDB's other reason spelling", async () => {
    const type = 'ProvisionedThroughputExceeded';
    const table = withFaults({ fault: { kind: 'throttle', type }, target: 'gsi2' });
    expect(outcomeOf(await table.ask('PutItem', put('a')))).toBe('200');
    const gsi2 = { gsi2pk: { S: 'g' }, gsi2sk: { S: '1' } };
    const answer = await table.ask('PutItem', put('a', gsi2));
    expect(outcomeOf(answer)).toBe('ProvisionedThroughputExceededException');
    expect(bodyOf(answer)['ThrottlingReasons']).toEqual([
      {
        reason: 'IndexWriteProvisionedThroughputExceeded',
        resource: 'arn:aws:dynamodb:local:000000000000:table/things/index/gsi2',
      },
    ]);
  });

  it('of keys with a prefix returns a batch’s items as unprocessed, or rejects the batch when all are throttled', async () => {
    const table = withFaults({ fault: { kind: 'throttle' }, partitionKey: 'hot*' });
    const answer = await table.ask('BatchWriteItem', batch('hot1', 'a', 'hot2'));
    expect(bodyOf(answer)['UnprocessedItems']).toEqual(batch('hot1', 'hot2').RequestItems);
    expect(pksIn(table)).toEqual(['a']);
    const all = await table.ask('BatchWriteItem', batch('hot1', 'hot2'));
    expect(outcomeOf(all)).toBe('ThrottlingException');
  });

  it('cancels a transaction with a cancellation code for the action', async () => {
    const table = withFaults({ fault: { kind: 'throttle' }, partitionKey: 'hot' });
    const answer = await table.ask('TransactWriteItems', transaction(key('a'), key('hot')));
    expect(codesOf(answer)).toEqual(['None', 'ThrottlingError']);
    expect(pksIn(table)).toEqual([]);
  });

  it.each([
    [
      'table',
      'KeyRangeThroughputExceeded',
      /^Throughput exceeds the current capacity of your table/,
    ],
    [
      'gsi2',
      'KeyRangeThroughputExceeded',
      /^Throughput .* for one or more global secondary indexes/,
    ],
    ['table', 'ProvisionedThroughputExceeded', /^The level of .* throughput for the table was/],
    ['gsi2', 'ProvisionedThroughputExceeded', /^The level of .* for one or more global secondary/],
  ] as const)('of %s and %s cancels a transaction with its own message', async (...row) => {
    const [target, type, message] = row;
    const table = withFaults({ fault: { kind: 'throttle', type }, target });
    const gsi2 = { gsi2pk: { S: 'g' }, gsi2sk: { S: '1' } };
    const answer = await table.ask('TransactWriteItems', transaction({ ...key('a'), ...gsi2 }));
    const reasons = bodyOf(answer)['CancellationReasons'] as { Message: string }[];
    expect(reasons.map(({ Message }) => Message)).toEqual([expect.stringMatching(message)]);
  });

  it('occurs with its probability, and equally for equal seeds', async () => {
    const run = async (seed: number) => {
      const table = simulateTable({}, seed);
      table.endpoint.faults.set([{ fault: { kind: 'throttle' }, probability: 0.3 }]);
      const outcomes: string[] = [];
      for (let number = 0; number < 200; number++) {
        outcomes.push(outcomeOf(await table.ask('PutItem', put('a'))));
      }
      return outcomes.join();
    };
    const first = await run(1);
    const throttled = first.split('ThrottlingException').length - 1;
    expect(throttled).toBeGreaterThan(40);
    expect(throttled).toBeLessThan(80);
    expect(await run(1)).toBe(first);
    expect(await run(2)).not.toBe(first);
  });
});

describe('unprocessed parts', () => {
  it('are returned without an exception, a limited number of times', async () => {
    const table = withFaults({ fault: { kind: 'unprocessed' }, times: 3 });
    const answer = await table.ask('BatchWriteItem', batch('a', 'b'));
    expect(bodyOf(answer)['UnprocessedItems']).toEqual(batch('a', 'b').RequestItems);
    await table.ask('BatchWriteItem', batch('a', 'b'));
    expect(pksIn(table)).toEqual(['b']);
  });

  it('of a BatchGetItem keep the options of the request', async () => {
    const table = withFaults({ fault: { kind: 'unprocessed' }, partitionKey: 'b' });
    for (const pk of ['a', 'b']) table.handle('PutItem', put(pk));
    const asked = (...pks: string[]) => ({
      [TableName]: { Keys: pks.map((pk) => key(pk)), ProjectionExpression: 'pk' },
    });
    const answer = await table.ask('BatchGetItem', { RequestItems: asked('a', 'b') });
    expect(bodyOf(answer)).toEqual({
      Responses: { [TableName]: [{ pk: { S: 'a' } }] },
      UnprocessedKeys: asked('b'),
    });
  });
});

describe('a failure', () => {
  it.each([
    ['an error before the write', { kind: 'error', when: 'before' }, 'InternalServerError', []],
    ['an error after the write', { kind: 'error', when: 'after' }, 'InternalServerError', ['a']],
    ['a lost response', { kind: 'lost' }, 'lost', ['a']],
    ['a stuck request', { kind: 'stuck', when: 'before' }, 'stuck', []],
    ['a stuck response', { kind: 'stuck', when: 'after' }, 'stuck', ['a']],
  ] as const)('%s', async (_, fault, outcome, stored) => {
    const table = withFaults({ fault, operations: ['PutItem'], times: 1 });
    expect(outcomeOf(await table.ask('GetItem', get('a')))).toBe('200');
    expect(outcomeOf(await table.ask('PutItem', put('a')))).toBe(outcome);
    expect(pksIn(table)).toEqual(stored);
    expect(outcomeOf(await table.ask('PutItem', put('a')))).toBe('200');
  });

  it('has the status 500', async () => {
    const table = withFaults({ fault: { kind: 'error', when: 'before' } });
    expect(await table.ask('PutItem', put('a'))).toMatchObject({ status: 500 });
  });

  it('ends when it is removed', async () => {
    const table = withFaults();
    const end = table.endpoint.faults.add({ fault: { kind: 'lost' } });
    expect(outcomeOf(await table.ask('PutItem', put('a')))).toBe('lost');
    end();
    expect(outcomeOf(await table.ask('PutItem', put('a')))).toBe('200');
  });
});

it('responds after the configured delay, and later under the fault `slow`', async () => {
  const table = simulateTable({ latencyMs: { from: 5, to: 5 } });
  const answeredAfter = async () => {
    const since = table.agenda.now();
    let at = 0;
    void table.endpoint.answer('PutItem', put('a')).then(() => (at = table.agenda.now()));
    await table.play(1000);
    return at - since;
  };
  expect(await answeredAfter()).toBe(10);
  table.endpoint.faults.set([{ fault: { kind: 'slow', delayMs: 300 } }]);
  expect(await answeredAfter()).toBe(310);
});

it('counts requests and units by operation', async () => {
  const table = withFaults({ fault: { kind: 'throttle' }, partitionKey: 'hot' });
  await table.ask('BatchWriteItem', batch('a', 'hot'));
  await table.ask('GetItem', get('a'));
  const none = { readUnits: 0, writeUnits: 0 };
  expect(table.model.usage.read()).toEqual({
    CreateTable: { requests: 1, ...none },
    BatchWriteItem: { requests: 1, readUnits: 0, writeUnits: 1 },
    GetItem: { requests: 1, readUnits: 1, writeUnits: 0 },
  });
});
