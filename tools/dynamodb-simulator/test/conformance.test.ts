import {
  BatchWriteItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { describeOnEmbedded } from '@engawa/testing';
import { ConformanceFixture, text } from './conformance-fixture.ts';
import { failureOf, item } from './simulator-fixture.ts';
import type { QueryCommandInput } from '@aws-sdk/client-dynamodb';

/** Conformance with DynamoDB: of the simulator, or of DynamoDB Local if TEST_DYNAMODB_ENDPOINT names it. */
let fixture: ConformanceFixture;
beforeAll(async () => (fixture = await ConformanceFixture.open()));
afterAll(() => fixture.close());

const put = (more: object) =>
  new PutItemCommand({ TableName: fixture.tableName, Item: { ...item('put', '1'), ...more } });
const batch = (more: object) => {
  const Item = { ...item('batch', '1'), ...more };
  return new BatchWriteItemCommand({
    RequestItems: { [fixture.tableName]: [{ PutRequest: { Item } }] },
  });
};
const transact = (more: object) => {
  const Item = { ...item('transact', '1'), ...more };
  return new TransactWriteItemsCommand({
    TransactItems: [{ Put: { TableName: fixture.tableName, Item } }],
  });
};
const set = (names: Record<string, string>, value: object) =>
  new UpdateItemCommand({
    TableName: fixture.tableName,
    Key: item('update', '1'),
    UpdateExpression: 'SET #name = :value',
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: { ':value': value as never },
  });
const query = (condition: string, values: Record<string, string>, more: object = {}) => {
  const entries = Object.entries(values).map(([name, value]) => [`:${name}`, { S: value }]);
  return new QueryCommand({
    TableName: fixture.tableName,
    KeyConditionExpression: condition,
    ExpressionAttributeValues: Object.fromEntries(entries) as never,
    ...more,
  } satisfies QueryCommandInput);
};
const from = (pk: string, sk: string) => ({ ExclusiveStartKey: item(pk, sk) });
const ranked = (board: string, rank: string) => ({ board: { S: board }, rank: { S: rank } });
const ofIndex = { IndexName: 'byRank' };
const operands = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`v${number}`, `${number}`]));
const filter = (count: number) => ({
  FilterExpression: `kind IN (:${Object.keys(operands(count)).join(', :')})`,
});
const fields = (...names: string[]) => ({
  ProjectionExpression: names.map((name) => `#${name}`).join(', '),
  ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
});
const timeToLive = (Enabled: boolean) =>
  new UpdateTimeToLiveCommand({
    TableName: fixture.tableName,
    TimeToLiveSpecification: { AttributeName: 'expires', Enabled },
  });

const tooLong = /^One or more parameter values were invalid: /;
const emptyName = /Empty attribute name/;
const emptyKey = /The AttributeValue for a key attribute cannot contain an empty string value\./;
const elsewhere =
  /^The provided starting key (is outside query boundaries|does not match the range key predicate)/;

it.each([
  ['a partition key of an index over 2,048 bytes', () => put(ranked(text(2049), 'a')), tooLong],
  ['a sort key of an index over 1,024 bytes', () => put(ranked('a', text(1025))), tooLong],
  ['one of 342 characters of 3 bytes', () => put(ranked('a', '温'.repeat(342))), tooLong],
  ['one of an item that is not in the index', () => put({ rank: { S: text(1025) } }), tooLong],
  ['one in a batch', () => batch(ranked('a', text(1025))), tooLong],
  ['one in a transaction', () => transact(ranked('a', text(1025))), tooLong],
  ['an attribute without a name', () => put({ '': { S: 'x' } }), emptyName],
  ['one in a map', () => put({ map: { M: { '': { S: 'x' } } } }), emptyName],
  ['one in a map in a list', () => put({ l: { L: [{ M: { '': { S: 'x' } } }] } }), emptyName],
  ['an empty name in a batch', () => batch({ '': { S: 'x' } }), emptyName],
  ['an empty name in a transaction', () => transact({ '': { S: 'x' } }), emptyName],
  ['an update of an empty name', () => set({ '#name': '' }, { S: 'x' }), emptyName],
  [
    'an update with an empty name in its value',
    () => set({ '#name': 'map' }, { M: { '': { S: 'x' } } }),
    /^ExpressionAttributeValues contains invalid value: Empty attribute name for key :value$/,
  ],
  [
    'a comparison with 1,025 bytes',
    () => query('pk = :p AND sk >= :s', { p: 'p', s: text(1025) }),
    tooLong,
  ],
  [
    'a prefix of 1,025 bytes',
    () => query('pk = :p AND begins_with(sk, :s)', { p: 'p', s: text(1025) }),
    tooLong,
  ],
  [
    'an upper bound of 1,025 bytes in an index',
    () =>
      query(
        'board = :p AND #rank BETWEEN :a AND :s',
        { p: 'p', a: 'a', s: text(1025) },
        { ...ofIndex, ExpressionAttributeNames: { '#rank': 'rank' } },
      ),
    tooLong,
  ],
  ['an empty prefix', () => query('pk = :p AND begins_with(sk, :s)', { p: 'p', s: '' }), emptyKey],
  ['an empty partition key', () => query('board = :p', { p: '' }, ofIndex), emptyKey],
  ['a start at an empty key', () => query('pk = :p', { p: 'p' }, from('p', '')), emptyKey],
  [
    'a start in another partition',
    () => query('pk = :p', { p: 'p' }, from('other', 'a')),
    elsewhere,
  ],
  [
    'a start in another partition of an index',
    () =>
      query(
        'board = :p',
        { p: 'p' },
        {
          ...ofIndex,
          ExclusiveStartKey: { ...item('p', 'a'), ...ranked('other', 'a') },
        },
      ),
    elsewhere,
  ],
  [
    'a start below its condition',
    () => query('pk = :p AND sk >= :s', { p: 'p', s: 'b' }, from('p', 'a')),
    elsewhere,
  ],
  [
    'a start above its condition',
    () => query('pk = :p AND sk < :s', { p: 'p', s: 'b' }, from('p', 'b')),
    elsewhere,
  ],
  [
    'a start beside its prefix',
    () => query('pk = :p AND begins_with(sk, :s)', { p: 'p', s: 'b' }, from('p', 'c')),
    elsewhere,
  ],
  [
    'a start outside its bounds',
    () => query('pk = :p AND sk BETWEEN :a AND :b', { p: 'p', a: 'b', b: 'c' }, from('p', 'd')),
    elsewhere,
  ],
  [
    'IN with 101 operands',
    () => query('pk = :p', { p: 'p', ...operands(101) }, filter(101)),
    /^Invalid FilterExpression: The IN operator is provided with too many operands; number of operands: 101$/,
  ],
  [
    'attributes that an index does not have',
    () => query('board = :p', { p: 'p' }, { ...ofIndex, ...fields('pk', 'name', 'kind') }),
    /^One or more parameter values were invalid: Global secondary index byRank does not project \[kind\]/,
  ],
])('rejects %s', async (_, request, message) => {
  const failure = await failureOf(fixture.send(request() as PutItemCommand));
  expect(failure).toMatchObject({ name: 'ValidationException' });
  expect(failure['message']).toMatch(message);
});

describeOnEmbedded('DynamoDB Local takes it', 'an update', () => {
  it.each([
    ['partition', 'board', 2049],
    ['sort', 'rank', 1025],
  ])('an update that makes the %s key of an index too long is rejected', async (_, name, bytes) => {
    const failure = await failureOf(fixture.send(set({ '#name': name }, { S: text(bytes) })));
    expect(failure).toMatchObject({ name: 'ValidationException' });
    expect(failure['message']).toMatch(tooLong);
  });
});

it.each([
  ['a partition key of an index of 2,048 bytes', () => put(ranked(text(2048), 'a'))],
  ['a sort key of an index of 1,024 bytes', () => put(ranked('a', text(1024)))],
  ['a comparison with 1,024 bytes', () => query('pk = :p AND sk >= :s', { p: 'p', s: text(1024) })],
  [
    'a start on its lower bound',
    () => query('pk = :p AND sk >= :s', { p: 'p', s: 'b' }, from('p', 'b')),
  ],
  ['a start where no item is', () => query('pk = :p', { p: 'p' }, from('p', 'nobody'))],
  [
    'attributes that an index has',
    () => query('board = :p', { p: 'p' }, { ...ofIndex, ...fields('pk', 'sk', 'rank', 'name') }),
  ],
  ['IN with 100 operands', () => query('pk = :p', { p: 'p', ...operands(100) }, filter(100))],
])('accepts %s', async (_, request) => {
  expect((await fixture.send(request() as PutItemCommand)).$metadata.httpStatusCode).toBe(200);
});

it('rejects enabling or disabling time to live twice', async () => {
  const refusals: unknown[] = [];
  for (const isOn of [true, true, false, false]) {
    await fixture.send(timeToLive(isOn)).catch((error: unknown) => {
      refusals.push((error as Error).message);
    });
  }
  expect(refusals).toEqual(['TimeToLive is already enabled', 'TimeToLive is already disabled']);
});

describe('items of an index with equal sort keys', () => {
  const ids = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
  // Some unique sort keys, then many equal ones, then some unique ones.
  const rankOf = (id: string) => (id < '05' ? `a${id}` : id < '55' ? 'tie' : `z${id}`);
  const idsOf = (page: { Items?: { pk?: { S?: string } }[] }) =>
    (page.Items ?? []).map(({ pk }) => pk?.S ?? '');

  beforeAll(async () => {
    for (const id of ids) await fixture.send(put({ pk: { S: id }, ...ranked('ties', rankOf(id)) }));
  });

  it("are returned in another order than the table's", async () => {
    const found = idsOf(await fixture.send(query('board = :b', { b: 'ties' }, ofIndex)));
    expect(found.toSorted()).toEqual(ids);
    expect(found.map(rankOf)).toEqual(ids.map(rankOf));
    expect(found).not.toEqual(ids);
    expect(found).not.toEqual(found.map(rankOf).toSorted());
  });

  it.each([
    [1, true],
    [3, false],
    [7, true],
    [7, false],
    [50, true],
    [100, false],
  ])('are returned once each in pages of %d, forward %s', async (limit, ScanIndexForward) => {
    const shown = { ...ofIndex, ScanIndexForward };
    const whole = idsOf(await fixture.send(query('board = :b', { b: 'ties' }, shown)));
    const found: string[] = [];
    let start: object = {};
    for (let pages = 0; pages < 100; pages++) {
      const page = { ...shown, ...start, Limit: limit };
      const answer = await fixture.send(query('board = :b', { b: 'ties' }, page));
      found.push(...idsOf(answer));
      if (answer.LastEvaluatedKey === undefined) break;
      start = { ExclusiveStartKey: answer.LastEvaluatedKey };
    }
    expect(found).toEqual(whole);
  });
});
