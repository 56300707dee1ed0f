import fc from 'fast-check';
import { ItemRejected } from '../src/index.ts';
import { connect, startTable } from './table-fixture.ts';
import type { BatchWriter, Table } from '../src/index.ts';
import type { TableFixture } from './table-fixture.ts';

let fixture: TableFixture;
let table: Table;
let writer: BatchWriter;

beforeAll(async () => {
  fixture = await startTable();
  // A long timeout for a busy machine: some of these items are large.
  ({ table } = connect(fixture.table.tableName, fixture.proxy.endpoint, 30_000));
  writer = table.batchWriter();
});
afterAll(async () => {
  writer.close();
  table.close();
  await fixture.close();
});

/** Lists in each other. */
const nested = (depth: number): unknown =>
  Array.from({ length: depth }).reduce<unknown>((inner) => [inner], 'deep');

const cyclic: Record<string, unknown> = {};
cyclic['self'] = { again: [cyclic] };

const throwing = Object.defineProperty({}, 'b', {
  enumerable: true,
  get: () => {
    throw new Error('no');
  },
});

const unstorable: [string, object][] = [
  ['a field called __proto__', JSON.parse('{"__proto__": 1}') as object],
  ['a field called __proto__ inside', { a: [JSON.parse('{"__proto__": {}}')] }],
  ['an item that contains itself', cyclic],
  ['33 levels', { a: nested(33) }],
  ['100,000 levels', { a: nested(100_000) }],
  ['NaN', { a: NaN }],
  ['infinity', { a: [-Infinity] }],
  ['too large a number', { a: 1e126 }],
  ['half a character', { a: '\ud83d' }],
  ['half a character in a name', { '\ude00': 1 }],
  ['a function', { a: () => 1 }],
  ['a symbol', { a: Symbol('a') }],
  ['a bigint', { a: 1n }],
  ['nothing in a list', { a: [undefined] }],
  ['a hole in a list', { a: new Array(2) }],
  ['a property that throws', { a: throwing }],
  ['an index key that is no text', { gsi1pk: 1, gsi1sk: 'x' }],
  ['an empty index key', { gsi1pk: '', gsi1sk: 'x' }],
  ['no pk', { pk: undefined }],
  ['an empty pk', { pk: '' }],
  ['a pk of 2,049 bytes', { pk: 'x'.repeat(2049) }],
  ['a sk of 1,025 bytes', { sk: `${'é'.repeat(512)}x` }],
  ['a sk that is a number', { sk: 1 }],
];

it.each(unstorable)('rejects %s, and no other item of its batch', async (name, item) => {
  const others = Array.from({ length: 3 }, (_, number) =>
    writer.put({ pk: name, sk: `${number}` }),
  );
  const refused = writer.put({ pk: name, sk: 'x', ...item });
  await expect(refused).rejects.toMatchObject({ name: 'ItemRejected', reason: 'invalid' });
  await Promise.all(others);
});

it.each<[string, object]>([
  ['32 levels', { a: nested(31) }],
  [
    'nothing inside of a map, in much JSON',
    { a: [{ b: undefined }, ...Array<null>(115_000).fill(null)] },
  ],
  ['the longest keys', { pk: 'p'.repeat(2048), sk: 's'.repeat(1024) }],
  ['fields called like those of every object', { toJSON: 1, constructor: { prototype: 'x' } }],
])('stores %s', async (name, item) => {
  const document = { pk: name, sk: 'x', ...item };
  await writer.put(document);
  const { pk, sk } = document;
  const stored = await table.get({ pk, sk });
  expect(stored).toEqual(JSON.parse(JSON.stringify(document)));
});

it('stores or rejects any item', async () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withObjectString: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
    stringUnit: 'binary',
  });
  const items = fc.sample(fc.dictionary(fc.string({ unit: 'binary' }), anything), 500);
  const outcomes = await Promise.allSettled(
    items.map((item, number) => writer.put({ ...item, pk: 'any', sk: `${number}` })),
  );
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(ItemRejected);
  }
  const { count } = await table.count({ pk: 'any' });
  expect(count).toBe(outcomes.filter(({ status }) => status === 'fulfilled').length);
  expect(count).toBeGreaterThan(0);
  expect(writer.pending).toBe(0);
});
