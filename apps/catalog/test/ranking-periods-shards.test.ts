import { attributeFamily } from '@engawa/keys';
import { openBeforeAll } from '@engawa/testing';
import { catalogOn } from './catalog.ts';
import { declare, itemsOf, make, pathOf, quiet } from './entities.ts';
import { queryResponse } from './list-queries.ts';
import { board, periodTypes, play, weeks } from './ranking-periods.ts';
import { inFourShards } from './shards.ts';
import { startTable } from './table.ts';
import type { Catalog } from './catalog.ts';
import type { StartedTable } from './table.ts';

const environment = { ...quiet, RATE_LIMIT_PER_MINUTE: '0' };
const days = ['2026-11-20', '2026-11-25', '2026-11-30'].map((day) => `${day}T12:00:00.000Z`);
const [w47 = '', w48 = '', w49 = ''] = days;
const ids = Array.from({ length: 12 }, (_, index) => `s${index + 10}`);

async function patch(catalog: Catalog, id: string, attributes: object): Promise<void> {
  const body = { attributes };
  const answer = await catalog.ask(pathOf('Round', id), { method: 'PATCH', body });
  expect(answer).toMatchObject({ status: 200 });
}

describe('the periods of a hot game', () => {
  const started = openBeforeAll(startTable);
  beforeAll(async () => {
    const before = await catalogOn(started, environment);
    await declare(before, periodTypes);
    await make(before, ['Game', 'go', {}], ['Game', 'chess', {}]);
    const scores = ids.map((id, index): [string, [number, string]] => [id, [index, w47]]);
    await play(before, 'Round', Object.fromEntries(scores));
    await before.close();
    await inFourShards(started.table, attributeFamily('Round', 'byWeek', 'go'));
  });
  const catalog = openBeforeAll(() => catalogOn(started, environment));
  beforeAll(async () => {
    // The service reads the shard map before its first query.
    await requestsOf('go', '2026-W47');
  });

  const requestsOf = async (within: string, period: string) => {
    const answer = await queryResponse(catalog, ['rankings', 'Round', 'byWeek'], {
      within,
      period,
    });
    return answer.headers.get('engawa-requests');
  };
  const partitions = async () => {
    const items = await Promise.all(ids.map((id) => itemsOf(started.table, 'Round', id)));
    return [...new Set(items.map(([own]) => own?.['gsi2pk'] as string))].toSorted();
  };
  const inShards = (week: string) =>
    [0, 1, 2, 3].map((shard) => `A#Round#byWeek#go#${week}#${shard}`);

  it('all have its shards, and other games have one', async () => {
    expect(await requestsOf('go', '2026-W47')).toBe('query-gsi2=4');
    // An empty ranking is that of an existing game: one GetItem.
    expect(await requestsOf('go', '2026-W49')).toBe('get-item=1, query-gsi2=4');
    expect(await requestsOf('chess', '2026-W49')).toBe('get-item=1, query-gsi2=1');
  });

  it('have each entity in its shard after its next score, and in a new period at once', async () => {
    expect(await partitions()).toEqual(['A#Round#byWeek#go#2026-W47#0']);
    for (const [index, id] of ids.entries()) await patch(catalog, id, { points: 100 + index });
    expect(await partitions()).toEqual(inShards('2026-W47'));
    for (const id of ids) await patch(catalog, id, { playedAt: w48 });
    expect(await partitions()).toEqual(inShards('2026-W48'));
    const expected = ids.map((id, index) => `${id} ${100 + index}`).toReversed();
    expect(await weeks(catalog, ['Round', 'byWeek', { within: 'go' }])).toEqual({
      ...{ w47: [], w48: expected, w49: [] },
    });
  });
});

describe('concurrent scores and changes of the period by two replicas', () => {
  let started: StartedTable;
  let replicas: Catalog[];
  beforeAll(async () => {
    started = await startTable();
    replicas = [await catalogOn(started, environment)];
    const [first] = replicas as [Catalog];
    await declare(first, periodTypes);
    replicas.push(await catalogOn(started, environment));
    await make(first, ['Game', 'go', {}]);
  });
  afterAll(async () => {
    for (const replica of replicas) await replica.close();
    await started.close();
  });

  it('leave each entity in the ranking of its period with its last score', async () => {
    const [one, other] = replicas as [Catalog, Catalog];
    const some = ids.slice(0, 4);
    await play(one, 'Round', Object.fromEntries(some.map((id) => [id, [0, w47]])));
    const work = some.flatMap((id) =>
      [1, 2, 3, 4, 5].flatMap((turn) => [
        () => patch(one, id, { points: turn }),
        () => patch(other, id, { playedAt: turn === 3 ? null : days[turn % 3] }),
        () => patch(other, id, { points: turn * 10, playedAt: days[(turn + 1) % 3] }),
      ]),
    );
    while (work.length > 0) await Promise.all(work.splice(0, 6).map((each) => each()));
    const expected = new Map<unknown, string[]>(days.map((day) => [day, []]));
    for (const id of some) {
      const { body } = await one.ask(pathOf('Round', id));
      const { attributes } = body as { attributes: { points: number; playedAt?: string } };
      expected.get(attributes.playedAt)?.push(`${id} ${attributes.points}`);
    }
    for (const [week, day] of Object.entries({
      '2026-W47': w47,
      '2026-W48': w48,
      '2026-W49': w49,
    })) {
      const found = await board(one, ['Round', 'byWeek'], { within: 'go', period: week });
      expect(found.toSorted()).toEqual(expected.get(day)?.toSorted());
    }
  });
});
