import { openBeforeAll } from '@engawa/testing';
import { catalogOn } from './catalog.ts';
import { declare, make, quiet } from './entities.ts';
import { ask, idsIn, problemOf, queryResponse, walk } from './list-queries.ts';
import { startTable } from './table.ts';
import type { Page } from './list-queries.ts';

const contract = {
  attributes: [
    { name: 'ends', kind: 'instant', unique: true },
    { name: 'note', kind: 'text' },
  ],
  searches: [
    { name: 'byEnd', parts: [{ attribute: 'ends' }] },
    { name: 'byNote', parts: [{ attribute: 'note' }] },
  ],
  rankings: [{ name: 'soonest', attribute: 'ends', direction: 'ascending' }],
};
const lists = [
  ['search', 'Contract', 'byEnd'],
  ['rankings', 'Contract', 'soonest'],
];
const noon = Date.parse('2026-11-29T12:00:00Z');
const hour = 3_600_000;

describe('now in a list', () => {
  const started = openBeforeAll(startTable);
  const catalog = openBeforeAll(() => catalogOn(started, quiet, { now: () => time }));
  let time = noon;
  beforeAll(async () => {
    await declare(catalog, { Contract: contract });
    for (let id = 0; id < 6; id++) {
      const ends = new Date(noon + (id - 2) * hour).toISOString();
      await make(catalog, ['Contract', `c${id}`, { attributes: { ends, note: 'now' } }]);
    }
  });
  beforeEach(() => (time = noon));

  it.each([
    ['from now on', { from: 'now' }, ['c2', 'c3', 'c4', 'c5']],
    ['until now', { to: 'now' }, ['c0', 'c1', 'c2']],
    ['of the last hour', { from: 'now-1h', to: 'now' }, ['c1', 'c2']],
    ['of the next two hours', { from: 'now', to: 'now+2h' }, ['c2', 'c3', 'c4']],
    ['of the last week', { from: 'now-1w', to: 'now-60m' }, ['c0', 'c1']],
  ])('selects entities %s', async (_, range, ids) => {
    for (const list of lists) {
      expect(idsIn([await ask(catalog, list, range)])).toEqual(ids);
    }
  });

  it.each(lists)('is the same moment on all pages of %s', async (...path) => {
    const asked = { to: 'now', limit: 1, total: 'true' };
    const first = await ask<Page<{ id: string }> & { total: number }>(catalog, path, asked);
    time += 2 * hour;
    const { cursor } = first;
    const second = await ask<typeof first>(catalog, path, { ...asked, cursor });
    const others = await walk<{ id: string }>(catalog, path, { ...asked, cursor: second.cursor });
    expect(idsIn([first, second, ...others])).toEqual(['c0', 'c1', 'c2']);
    expect([first.total, second.total]).toEqual([3, 3]);
  });

  it('is a text where the value is a text', async () => {
    const found = await ask<Page<{ id: string }>>(catalog, ['search', 'Contract', 'byNote'], {
      eq: 'now',
    });
    expect(found.items).toHaveLength(6);
  });

  it('is refused where there is one value only', async () => {
    const refused = await queryResponse(catalog, ['unique', 'Contract', 'ends'], { value: 'now' });
    expect(problemOf(refused)).toMatchObject({ status: 400, paths: ['query.value'] });
  });

  it.each(['now-1y', 'now+h', 'now-9999999w', 'now+9999999w', 'Now'])(
    'is refused as %s',
    async (from) => {
      const refused = await queryResponse(catalog, ['search', 'Contract', 'byEnd'], { from });
      expect(problemOf(refused)).toMatchObject({ status: 400, paths: ['query.from'] });
    },
  );
});
