import { readdirSync, readFileSync } from 'node:fs';
import { absent, equal } from '../items/expression.ts';
import { pendingPut } from '../write/pending-put.ts';
import { directOperations } from '../client/request-sender.ts';
import { queryInput } from '../read/query-request.ts';
import { deleteInput, putInput, transactionInput, updateInput } from '../write/write-request.ts';
import { chargesOf } from './charges.ts';
import { keyAttributes } from '../items/item-id.ts';
import { marshal } from '../items/marshal.ts';
import { unitsBySize } from '../items/charged-part.ts';
import type { RequestCharges } from '../items/charged-part.ts';

const key = { pk: 'P', sk: 'S' };
const indexed = { ...key, gsi1pk: 'L', gsi1sk: '1', gsi2pk: 'M', gsi2sk: '2' };
const inTable = ['table P'];
const inAll = ['table P', 'gsi1 L', 'gsi2 M'];

/** Keys and units of each part by its size: `table P, gsi1 L: 2`. */
function described(charges: RequestCharges | undefined): string[] {
  return (charges?.parts ?? []).map((part) => {
    expect(part.partitions.every(({ unit }) => unit === charges?.unit)).toBe(true);
    const keys = part.partitions.map(({ index, partition }) => `${index} ${partition}`);
    return `${keys.join(', ')}: ${charges ? unitsBySize(part, charges) : 'nothing'}`;
  });
}

describe('reads', () => {
  it('of one item charges its key', () => {
    const input = { TableName: 't', Key: keyAttributes(key) };
    expect(described(chargesOf('GetItem', input))).toEqual(['table P: 0.5']);
    const consistent = { ...input, ConsistentRead: true };
    expect(described(chargesOf('GetItem', consistent))).toEqual(['table P: 1']);
  });

  it('of many items charges each key by the size of its item', () => {
    const RequestItems = { t: { Keys: ['a', 'b'].map((pk) => keyAttributes({ ...key, pk })) } };
    const large = marshal({ ...key, pk: 'b', text: 'x'.repeat(9000) });
    const output = { Responses: { t: [large] } };
    const charges = chargesOf('BatchGetItem', { RequestItems }, output);
    expect(described(charges)).toEqual(['table a: 0.5', 'table b: 1.5']);
  });

  it.each([
    [{ pk: 'P' }, 'table P: 0.5'],
    [{ pk: 'P', sk: { beginsWith: 'a' }, consistent: true }, 'table P: 1'],
    [{ pk: 'P = :v1', sk: { from: 'a', to: 'b' } }, 'table P = :v1: 0.5'],
    [{ index: 'gsi1' as const, pk: 'L', sk: { from: 'a' } }, 'gsi1 L: 0.5'],
    [{ index: 'gsi2' as const, pk: 'M', sk: { to: 'a' }, limit: 1 }, 'gsi2 M: 0.5'],
  ])('by Query charges the requested partition: %j', (question, expected) => {
    const input = queryInput('t', question);
    expect(described(chargesOf('Query', input))).toEqual([expected]);
    expect(described(chargesOf('Query', { ...input, Select: 'COUNT' }))).toEqual([expected]);
  });
});

describe('writes', () => {
  const text = 'x'.repeat(1500);

  it('of an item charges all of its keys by its size', () => {
    const put = (item: object) =>
      described(chargesOf('PutItem', putInput('t', { put: item as never })));
    expect(put(key)).toEqual([`${inTable.join()}: 1`]);
    expect(put({ ...indexed, text })).toEqual([`${inAll.join(', ')}: 2`]);
  });

  it('of an update charges the keys in its response, otherwise the keys that it sets', () => {
    const values = { name: 'n', gsi2pk: 'M', gsi2sk: '2', text };
    const onlyIf = equal('gsi1pk', 'before');
    const input = updateInput('t', { update: key, set: values, add: { n: 1 }, onlyIf });
    expect(described(chargesOf('UpdateItem', input))).toEqual(['table P, gsi2 M: 2']);
    const Attributes = putInput('t', { put: indexed }).Item;
    expect(described(chargesOf('UpdateItem', input, { Attributes }))).toEqual([
      `${inAll.join(', ')}: 1`,
    ]);
  });

  it('does not take a nested or removed field for a key of an index', () => {
    const inside = { path: ['data', 'gsi1pk'], value: 'no key' };
    const change = { set: { data: {} }, setInside: [inside], remove: ['gsi2pk'] };
    const input = updateInput('t', { update: key, ...change });
    expect(described(chargesOf('UpdateItem', input))).toEqual(['table P: 1']);
  });

  it('of a deletion charges the key of the table, the only known key', () => {
    const input = deleteInput('t', { delete: key, onlyIf: equal('gsi1pk', 'L') });
    expect(described(chargesOf('DeleteItem', input))).toEqual(['table P: 1']);
    expect(chargesOf('DeleteItem', input)?.parts[0]?.mayHaveUnknownIndexKeys).toBe(true);
  });

  it('of a batch charges the keys of each item', () => {
    const puts = [{ PutRequest: { Item: putInput('t', { put: { ...indexed, text } }).Item } }];
    const deletes = [{ DeleteRequest: { Key: keyAttributes({ ...key, pk: 'Q' }) } }];
    const input = { RequestItems: { t: [...puts, ...deletes] } };
    expect(described(chargesOf('BatchWriteItem', input))).toEqual([
      `${inAll.join(', ')}: 2`,
      'table Q: 1',
    ]);
  });

  it('of a prepared batch charges the puts of the command', () => {
    const numbers = Array.from({ length: 60 }, (_, number) => number / 8);
    const items = [indexed, { ...key, pk: 'Q', numbers }, { ...key, pk: 'R', text }];
    const input = { puts: items.map(pendingPut) };
    // The numbers have over a kilobyte as JSON, but less by DynamoDB's count.
    expect(described(chargesOf('BatchWriteItem', input))).toEqual([
      `${inAll.join(', ')}: 1`,
      'table Q: 1',
      'table R: 2',
    ]);
  });

  it('of a transaction charges double, condition checks included', () => {
    const writes = [
      { put: { ...indexed, text } },
      { update: { ...key, pk: 'U' }, set: { gsi1pk: 'L', gsi1sk: '1' } },
      { delete: { ...key, pk: 'D' } },
      { check: { ...key, pk: 'C' }, onlyIf: absent('pk') },
    ];
    const TransactItems = writes.map((write) => transactionInput('t', write));
    expect(described(chargesOf('TransactWriteItems', { TransactItems }))).toEqual([
      `${inAll.join(', ')}: 4`,
      'table U, gsi1 L: 2',
      'table D: 2',
      'table C: 2',
    ]);
  });
});

it('covers every request that this library sends', () => {
  const source = new URL('../', import.meta.url);
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    // Other requests consume no capacity: they create or describe the table.
    .filter(
      (file) => file.endsWith('.ts') && !/\.test\.ts$|(ensure-table|time-to-live)\.ts$/.test(file),
    );
  const commands = files.flatMap((file) => {
    const text = readFileSync(new URL(file, source), 'utf8');
    return [...text.matchAll(/new (\w+)Command\(/g)].map(([, name = '']) => name);
  });
  const operations = new Set([...commands, ...directOperations]);
  const key = keyAttributes({ pk: 'a', sk: 'b' });
  const input = { Key: key, Item: key, RequestItems: {}, TransactItems: [] };
  expect([...operations].filter((operation) => !chargesOf(operation, input))).toEqual([]);
  expect(operations.size).toBe(8);
  expect(chargesOf('DescribeTable', {})).toBeUndefined();
});
