import type { AttributeValue, Document, Item } from '@engawa/dynamodb-simulator/rules';
import type { Request } from './request-builder.ts';

const S = (value: string): AttributeValue => ({ S: value });
const key = (pk: string, sk = '1'): Item => ({ pk: S(pk), sk: S(sk) });
const large = (bytes: number): Item => ({ x: S('x'.repeat(bytes)) });

/** Bytes of an item with the key `edge` and `1`, and an empty attribute `x`. */
const keyBytes = 2 + 4 + 2 + 1 + 1;
const maxItem = 400 * 1024;

/** Requests with edge cases of keys, sizes, batches, transactions and parameters. */
export function edgeRequests(TableName: string): Request[] {
  const requests = new EdgeRequests(TableName);
  return [
    ...requests.keys(),
    ...requests.items(),
    ...requests.batches(),
    ...requests.transactions(),
    ...requests.queries(),
  ];
}

class EdgeRequests {
  readonly #table: string;

  constructor(table: string) {
    this.#table = table;
  }

  keys(): Request[] {
    const get = (Key: Item) => this.#on('GetItem', { Key });
    return [
      get({ pk: S('edge') }),
      get({ ...key('edge'), n: { N: '1' } }),
      get({ pk: { N: '1' }, sk: S('1') }),
      get(key('')),
      get(key('edge', '')),
      get(key('edge', 's'.repeat(1025))),
      get(key('p'.repeat(2049))),
      get(key('p'.repeat(2048), 's'.repeat(1024))),
      this.#on('GetItem', { Key: key('edge'), ProjectionExpression: 'n, n' }),
      this.#on('GetItem', { Key: key('edge'), ProjectionExpression: 'm, m.a' }),
      this.#on('GetItem', { Key: key('edge'), ExpressionAttributeNames: { '#a': 'a' } }),
      { operation: 'GetItem', input: { TableName: 'nothing-there', Key: key('edge') } },
      { operation: 'Unknown', input: {} },
    ];
  }

  items(): Request[] {
    const put = (Item: Item) => this.#on('PutItem', { Item });
    const nested = (levels: number) => {
      let value = S('x');
      for (let level = 0; level < levels; level++) value = { L: [value] };
      return value;
    };
    return [
      put({ pk: S('edge') }),
      put({ pk: S('edge'), sk: { N: '1' } }),
      put({ ...key('edge'), ...large(maxItem - keyBytes) }),
      put({ ...key('edge'), ...large(maxItem - keyBytes + 1) }),
      this.#on('GetItem', {
        ...{ Key: key('edge'), ProjectionExpression: 'pk' },
        ReturnConsumedCapacity: 'INDEXES',
      }),
      put({ ...key('edge'), deep: nested(31) }),
      put({ ...key('edge'), deep: nested(32) }),
      put({ ...key('edge'), gsi1pk: { N: '1' } }),
      put({ ...key('edge'), gsi1sk: S('') }),
      put({ ...key('edge'), gsi2pk: S('x'.repeat(2049)) }),
      put({ ...key('edge'), gsi2sk: S('x'.repeat(1025)) }),
      put({ ...key('edge'), '': S('x') }),
      this.#on('PutItem', { Item: key('edge'), ReturnValues: 'ALL_NEW' }),
      this.#on('UpdateItem', {
        Key: key('edge'),
        UpdateExpression: 'SET y = :y',
        ExpressionAttributeValues: { ':y': S('x'.repeat(maxItem)) },
      }),
      this.#on('UpdateItem', { Key: key('fresh'), ReturnValues: 'ALL_NEW' }),
    ];
  }

  batches(): Request[] {
    const writes = (...list: Document[]) => ({
      operation: 'BatchWriteItem',
      input: { RequestItems: { [this.#table]: list } },
    });
    const reads = (...Keys: Item[]) => ({
      operation: 'BatchGetItem',
      input: { RequestItems: { [this.#table]: { Keys } } },
    });
    const put = (sk: string) => ({ PutRequest: { Item: key('batch', sk) } });
    const remove = (sk: string) => ({ DeleteRequest: { Key: key('batch', sk) } });
    const many = (count: number) => Array.from({ length: count }, (_, number) => String(number));
    return [
      writes(),
      writes(...many(25).map(put)),
      writes(...many(26).map(put)),
      writes(put('1'), remove('1')),
      writes({ ...put('1'), ...remove('1') }),
      writes({}),
      writes(put('1'), { PutRequest: { Item: { pk: S('batch') } } }),
      reads(),
      reads(...many(100).map((sk) => key('batch', sk))),
      reads(...many(101).map((sk) => key('batch', sk))),
      reads(key('batch'), key('batch')),
      { operation: 'BatchWriteItem', input: { RequestItems: {} } },
      { operation: 'BatchWriteItem', input: { RequestItems: { 'nothing-there': [put('1')] } } },
    ];
  }

  transactions(): Request[] {
    const transact = (...TransactItems: Document[]) => ({
      operation: 'TransactWriteItems',
      input: { TransactItems },
    });
    const TableName = this.#table;
    const put = (sk: string, more: Item = {}) => ({
      Put: { TableName, Item: { ...key('tx', sk), ...more } },
    });
    const update = (UpdateExpression: string) => ({
      Update: {
        ...{ TableName, Key: key('tx'), UpdateExpression },
        ExpressionAttributeValues: { ':v': { N: '1' } },
      },
    });
    const many = (count: number) => Array.from({ length: count }, (_, number) => String(number));
    return [
      transact(),
      transact(...many(100).map((sk) => put(sk))),
      transact(...many(101).map((sk) => put(sk))),
      transact(put('1'), put('1')),
      transact({ ...put('1'), ...update('SET n = :v') }),
      transact({}),
      transact({ ConditionCheck: { TableName, Key: key('tx') } }),
      transact(put('9'), update('SET a.b = :v')),
      transact(put('9'), update('SET a == :v')),
      transact(put('9'), { Delete: { TableName, Key: { pk: S('tx') } } }),
      transact(put('9', { gsi1pk: { N: '1' } })),
      transact(...many(11).map((sk) => put(sk, large(390 * 1024)))),
    ];
  }

  queries(): Request[] {
    const query = (more: Document) =>
      this.#on('Query', {
        KeyConditionExpression: 'pk = :p',
        ExpressionAttributeValues: { ':p': S('batch') },
        ...more,
      });
    const ofIndex = (more: Document = {}) =>
      query({ IndexName: 'gsi1', KeyConditionExpression: 'gsi1pk = :p', ...more });
    return [
      ...[0, 1, 24, 25, 26].map((Limit) => query({ Limit })),
      query({ FilterExpression: 'sk = :p' }),
      query({ Select: 'COUNT' }),
      query({ Select: 'COUNT', ProjectionExpression: 'sk' }),
      query({ Select: 'SPECIFIC_ATTRIBUTES' }),
      query({ Select: 'ALL_PROJECTED_ATTRIBUTES' }),
      query({ IndexName: 'nothing' }),
      query({ KeyConditionExpression: undefined, ExpressionAttributeValues: undefined }),
      query({ ExclusiveStartKey: key('batch', '2x') }),
      query({ ExclusiveStartKey: key('other', '2x') }),
      query({ ExclusiveStartKey: { pk: S('batch') } }),
      query({ ExclusiveStartKey: { ...key('batch'), n: { N: '1' } } }),
      query({ ExclusiveStartKey: key('batch', '') }),
      ofIndex({ ConsistentRead: true }),
      ofIndex({ Select: 'ALL_ATTRIBUTES' }),
      ofIndex({ ProjectionExpression: 'l' }),
      ofIndex({ ExclusiveStartKey: key('batch') }),
    ];
  }

  #on(operation: string, input: Document): Request {
    return { operation, input: { TableName: this.#table, ...input } };
  }
}
