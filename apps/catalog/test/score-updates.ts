import { startWithModel } from './models.ts';
import type { CatalogWithUrl } from './models.ts';

/** Concurrent requests that a slow machine can answer before the server's header timeout of 10 s. */
const atOnce = 20;

interface RankedEntity {
  rank: number;
  id: string;
  value: number;
}

/** Standard competition ranks; ties are sorted by id, here ASCII letters and digits. */
function ranked(scores: ReadonlyMap<string, number>): RankedEntity[] {
  const sorted = [...scores].toSorted(([left, mine], [right, theirs]) => {
    return theirs - mine || (left < right ? -1 : 1);
  });
  return sorted.map(([id, value]) => {
    return { rank: 1 + sorted.findIndex(([, other]) => other === value), id, value };
  });
}

/** Tests of this number of players that update their scores at once. */
export function testScoreUpdates(count: number): void {
  const ids = Array.from({ length: count }, (_, index) => `player ${index}`);

  let catalog: CatalogWithUrl;
  beforeAll(async () => {
    const limits = { MAX_REQUESTS_IN_FLIGHT: '2000', RATE_LIMIT_PER_MINUTE: '0' };
    catalog = await startWithModel('game', limits);
    const players = ids.map((id) => {
      return { type: 'Player', id, attributes: { name: id, score: 0, level: 1 } };
    });
    await catalog.ask('/v1/entities', { method: 'POST', body: players });
  });
  afterAll(() => catalog.close());

  async function setScore(id: string, score: number): Promise<number> {
    const path = `/v1/entities/Player/${encodeURIComponent(id)}`;
    const body = { attributes: { score } };
    return (await catalog.ask(path, { method: 'PATCH', body })).status;
  }

  /** All pages of the ranking, without the entities of the model. */
  async function ranking(): Promise<RankedEntity[]> {
    const all: RankedEntity[] = [];
    let cursor: string | undefined;
    do {
      const after = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { body } = await catalog.ask(
        `/v1/rankings/Player/byScore?limit=${Math.floor(count / 3)}${after}`,
      );
      const page = body as { items: RankedEntity[]; cursor?: string };
      all.push(...page.items);
      cursor = page.cursor;
    } while (cursor !== undefined);
    return all;
  }

  it('concurrent score updates cost one UpdateItem each, and the ranking has all of them', async () => {
    const scores = new Map([
      ...['ada', 'cho'].map((id) => [id, 1200] as const),
      ...([
        ['ben', 800.5],
        ['dot', -3],
        ['eve', 2000],
        ['fay', 0],
      ] as const),
      // Many ties.
      ...ids.map((id, index) => [id, ((index * 7919) % 401) - 200.5] as const),
    ]);
    // The other test changes it.
    await setScore('eve', 2000);
    const cost = await catalog.costOf(async () => {
      for (let first = 0; first < count; first += atOnce) {
        const some = ids.slice(first, first + atOnce);
        const statuses = await Promise.all(some.map((id) => setScore(id, scores.get(id) ?? 0)));
        expect(new Set(statuses)).toEqual(new Set([200]));
      }
    });
    expect(cost).toEqual({ UpdateItem: count });
    expect(await ranking()).toEqual(ranked(scores));
  });

  it('after many concurrent updates of one score, the ranking has the last one', async () => {
    const given = Array.from({ length: atOnce }, (_, index) => 5000 + index);
    const cost = await catalog.costOf(async () => {
      await Promise.all(given.map((score) => setScore('eve', score)));
    });
    expect(cost).toEqual({ UpdateItem: given.length });
    const { body } = await catalog.ask('/v1/entities/Player/eve');
    const { score } = (body as { attributes: { score: number } }).attributes;
    expect(given).toContain(score);
    const [first, second] = await ranking();
    expect(first).toEqual({ rank: 1, id: 'eve', value: score });
    expect(second).toMatchObject({ rank: 2 });
  });
}
