import { blockReadings, isBlockItem } from '@engawa/model';
import { deviceOf, packedBlocks, readingAt, singleBlocks } from './series.ts';
import type { BlockItem } from '@engawa/model';

const series = { start: Date.UTC(2026, 10, 1), step: 60_000, count: 150 };
const all = Array.from({ length: series.count }, (_, index) => readingAt(series, index));

/** A document as DynamoDB gives it. */
function documentOf(attribute: object): unknown {
  const [[type, value] = ['', undefined]] = Object.entries(attribute) as [string, unknown][];
  if (type === 'N') return Number(value);
  if (type === 'L') return (value as object[]).map(documentOf);
  if (type !== 'M') return value;
  return Object.fromEntries(
    Object.entries(value as object).map(([name, each]) => [name, documentOf(each as object)]),
  );
}

function readingsOf(items: Iterable<object>) {
  return [...items].flatMap((item) => {
    const document = documentOf({ M: item }) as BlockItem;
    if (!isBlockItem(document)) throw new Error('not a block');
    return blockReadings(document).map(({ time, fields }) => ({ time, fields }));
  });
}

it('stores each reading once in each storage format', () => {
  expect(readingsOf(singleBlocks('d', series))).toEqual(all);
  expect(readingsOf(packedBlocks('d', series, 60))).toEqual(all);
  const blocks = [...packedBlocks('d', series, 60)].length;
  expect(blocks).toBeLessThan(series.count / 10);
});

it("records a device's block span", () => {
  expect(deviceOf('d')).toMatchObject({ span: { N: '0' } });
  expect(deviceOf('d', 3_600_000)).toMatchObject({ span: { N: '4096' } });
});
