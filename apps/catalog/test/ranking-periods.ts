import { make } from './entities.ts';
import { itemsIn, walk } from './list-queries.ts';
import type { Catalog } from './catalog.ts';
import type { Parameters } from './list-queries.ts';

const week = { attribute: 'playedAt', length: 'P1W' };
const attributes = [
  { name: 'points', kind: 'number' },
  { name: 'playedAt', kind: 'instant' },
  { name: 'note', kind: 'text' },
];
const relations = [{ name: 'game', to: 'Game' }];

/** Rankings of weeks, with keys on the entities (`Round`, `Match`) and with rows (the others of `Match`). */
export const periodTypes = {
  Game: {},
  Round: {
    ...{ attributes, relations },
    rankings: [{ name: 'byWeek', attribute: 'points', within: 'game', period: week }],
  },
  Visit: {
    attributes: [...attributes, { name: 'seenAt', kind: 'instant', automatic: 'updated' }],
    rankings: [
      { name: 'byMonth', attribute: 'points', period: { attribute: 'seenAt', length: 'P1M' } },
    ],
  },
  Match: {
    ...{ attributes, relations },
    rankings: [
      { name: 'byWeek', attribute: 'points', period: week },
      { name: 'ofGame', attribute: 'points', within: 'game', period: week },
      { name: 'byMonth', attribute: 'points', period: { ...week, length: 'P1M' } },
      { name: 'first', attribute: 'playedAt', period: { ...week, length: 'P1D' } },
    ],
  },
};

/** A ranking of weeks, with the parameters that select its parent. */
export type Weekly = readonly [type: string, ranking: string, parent: Parameters];

export const weekly: Weekly[] = [
  ['Round', 'byWeek', { within: 'go' }],
  ['Match', 'byWeek', {}],
  ['Match', 'ofGame', { within: 'go' }],
];

interface Ranked {
  id: string;
  value: number;
}

/** A ranking as `id value`, in order. */
export async function board(
  catalog: Catalog,
  [type, ranking]: readonly [type: string, ranking: string],
  parameters: Parameters,
): Promise<string[]> {
  const path = ['rankings', type, ranking];
  const pages = await walk<Ranked>(catalog, path, { limit: 2, ...parameters });
  return itemsIn(pages).map(({ id, value }) => `${id} ${value}`);
}

/** The ranking of three weeks. */
export async function weeks(catalog: Catalog, [type, ranking, parent]: Weekly) {
  const ofWeek = (period: string) => board(catalog, [type, ranking], { ...parent, period });
  return {
    w47: await ofWeek('2026-W47'),
    w48: await ofWeek('2026-W48'),
    w49: await ofWeek('2026-W49'),
  };
}

/** Creates or replaces entities of a game. */
export async function play(
  catalog: Catalog,
  type: string,
  scores: Record<string, [points: number, playedAt: string]>,
): Promise<void> {
  for (const [id, [points, playedAt]] of Object.entries(scores)) {
    const body = { attributes: { points, playedAt }, relations: { game: 'go' } };
    await make(catalog, [type, id, body]);
  }
}
