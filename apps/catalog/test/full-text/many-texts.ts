import { textRowItem } from '@engawa/model';
import type { TextRow } from '@engawa/model';
import type { StartedTable } from '../table.ts';

const rooms = ['居間', '寝室', '台所', '廊下', '書斎', '玄関', '和室', '子供部屋'];
const things = ['照明', '温度計', '湿度計', '換気扇', 'カーテン', '窓', '扉', '床暖房'];
const common = [
  ...['lamp', 'light', 'sensor', 'dimmable', 'kitchen', 'hall', 'window', 'door', 'heating'],
  ...['switch', 'brass', 'ceiling', 'floor', 'wall', 'north', 'south', 'reading', 'study'],
];
const wordsOfEach = 22;

/** A text determined by the number: a room and a thing in Japanese, common words, and rare words. */
export function textOf(number: number): string {
  let state = number + 1;
  const next = (count: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % count;
  };
  const pick = (from: readonly string[]) => from[next(from.length)] ?? '';
  const words = Array.from({ length: wordsOfEach }, () =>
    next(3) === 0 ? `x${next(50_000).toString(36)}` : pick(common),
  );
  return [`${pick(rooms)}の${pick(things)}`, ...words, `居間と寝室 n${number}`].join(' ');
}

/**
 * Writes only the rows of the full-text index, in the order of their numbers, so that 150,000 take
 * seconds. All texts contain `居間`.
 */
export function putTexts(
  started: StartedTable,
  count: number,
  valuesOf: (number: number) => TextRow['values'] = () => undefined,
): Promise<void> {
  return putRows(started, count, (number) => ({
    texts: new Map([['name', textOf(number)]]),
    values: valuesOf(number),
  }));
}

/** Removes the texts like the deletion of their entities. */
export function removeTexts(started: StartedTable, count: number): Promise<void> {
  return putRows(started, count, () => ({ texts: undefined }));
}

async function putRows(
  { table }: StartedTable,
  count: number,
  contentOf: (number: number) => Pick<TextRow, 'texts' | 'values'>,
): Promise<void> {
  const writer = table.batchWriter();
  const changedAt = Date.now() - 3_600_000;
  for (let start = 0; start < count; start += 1000) {
    const length = Math.min(1000, count - start);
    await Promise.all(
      Array.from({ length }, (_, index) => {
        const number = start + index;
        const entity = { type: 'Many', id: `n${number}` };
        const row = { entity, ...contentOf(number), changedAt: changedAt + number };
        return writer.put(textRowItem(row, 1));
      }),
    );
  }
  writer.close();
}
