import { until } from '@engawa/testing';
import { catalogOn } from './catalog.ts';
import { declare } from './entities.ts';
import { ask } from './list-queries.ts';
import { afterMargin, busy, dueAt, expiring, iso, session } from './sessions.ts';
import { startTable } from './table.ts';
import { tasksOf } from './types.ts';
import type { Catalog } from './catalog.ts';
import type { StartedTable } from './table.ts';

/** The sum of a metric over replicas. */
export async function totalOf(catalogs: readonly Catalog[], name: string): Promise<number> {
  const each = await Promise.all(catalogs.map((catalog) => catalog.metric(name)));
  return each.reduce((a, b) => a + b);
}

/** A test of this number of entities that expire at once. */
export function testConcurrentExpiry(count: number): void {
  describe('an entity that expires with many others', () => {
    let started: StartedTable;
    let catalogs: readonly [Catalog, Catalog];
    let time = dueAt - 1000;
    beforeAll(async () => {
      started = await startTable();
      const start = () => catalogOn(started, busy, { now: () => time });
      catalogs = [await start(), await start()];
    });
    afterAll(async () => {
      await Promise.all(catalogs.map((catalog) => catalog.close()));
      await started.close();
    });

    it('is deleted once, by one of several replicas', async () => {
      const visit = { attributes: session.attributes, expires: session.expires };
      await declare(catalogs[0], { Visit: visit });
      const ids = Array.from({ length: count }, (_, index) => `v${index}`);
      const attributes = { until: iso(dueAt) };
      for (let start = 0; start < ids.length; start += 400) {
        const body = ids.slice(start, start + 400).map((id) => ({ type: 'Visit', id, attributes }));
        expect(await catalogs[0].ask('/v1/entities', { method: 'POST', body })).toMatchObject({
          status: 200,
        });
      }
      time = afterMargin;
      const deleted = () => totalOf(catalogs, 'engawa_expired_entities_total');
      await until('all to be deleted', async () => (await deleted()) === count, {
        progress: deleted,
      });
      expect((await ask<{ items: object[] }>(catalogs[0], ['entities', 'Visit'])).items).toEqual(
        [],
      );
      expect(await expiring(started.table)).toEqual([]);
      await until(
        'all background tasks to end',
        async () => (await tasksOf(started.table)).length === 0,
      );
      expect(await deleted()).toBe(count);
    });
  });
}
