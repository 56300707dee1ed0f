import { itemsIn, walk } from './list-queries.ts';
import { make } from './entities.ts';
import type { Catalog } from './catalog.ts';

/** Scores of games, with the own ranking and a ranking with rows. */
export const scoreTypes = {
  Game: { attributes: [{ name: 'name', kind: 'text' }] },
  Score: {
    attributes: [
      { name: 'points', kind: 'number' },
      { name: 'level', kind: 'number' },
      { name: 'note', kind: 'text' },
    ],
    relations: [{ name: 'game', to: 'Game' }],
    rankings: [
      { name: 'byScore', attribute: 'points', direction: 'descending', within: 'game' },
      { name: 'byLevel', attribute: 'level', direction: 'ascending', within: 'game' },
    ],
  },
};

export interface RankedEntity {
  rank: number;
  id: string;
  value: number;
}

export interface RankResponse {
  rank: number;
  within?: string;
  items: RankedEntity[];
}

export async function makeGames(catalog: Catalog, ...ids: string[]): Promise<void> {
  await make(catalog, ...ids.map((id) => ['Game', id, {}] as const));
}

/** The ranking of a game as `id value`, in order. */
export async function leaderboard(
  catalog: Catalog,
  game: string,
  ranking = 'byScore',
): Promise<string[]> {
  const path = ['rankings', 'Score', ranking];
  const pages = await walk<RankedEntity>(catalog, path, { within: game, limit: 3 });
  return itemsIn(pages).map(({ id, value }) => `${id} ${value}`);
}
