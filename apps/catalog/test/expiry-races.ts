import { until } from '@engawa/testing';
import { catalogOn } from './catalog.ts';
import { declare, make, pathOf } from './entities.ts';
import { startChild } from './full-text/child-replica.ts';
import { Gate } from './gate.ts';
import {
  afterMargin,
  busy,
  dueAt,
  isExpiring,
  iso,
  isStored,
  sessionOf,
  types,
  untilDeleted,
} from './sessions.ts';
import { startTable } from './table.ts';
import type { ProxiedRequest } from '@engawa/testing';
import type { Catalog } from './catalog.ts';
import type { StartedTable } from './table.ts';

/** Matches the transaction that deletes a session, by the deletion of its expiry row. */
const deletes =
  (id: string) =>
  ({ operation, body }: ProxiedRequest) =>
    operation === 'TransactWriteItems' &&
    body.includes(`"E#Session#${id}"`) &&
    body.includes('gone');
const claims = ({ operation, body }: ProxiedRequest) =>
  operation === 'UpdateItem' && body.includes('EXPIRY#0');
const ends = ({ operation, body }: ProxiedRequest) =>
  operation === 'DeleteItem' && body.includes('EXPIRY#0');

const kills = {
  'its claim': ['c', claims],
  'its first deletion': ['f', deletes('f0')],
  'a deletion in between': ['b', deletes('b20')],
  'its end': ['e', ends],
} as const;
export type KillTime = keyof typeof kills;
export const killTimes = Object.keys(kills) as KillTime[];

/** Tests of concurrent changes, and of replicas that are killed at these times. */
export function testExpiryRaces(times: readonly KillTime[]): void {
  describe('the deletion of expired entities', () => {
    let started: StartedTable;
    let gate: Gate;
    let quick: Catalog;
    let time = dueAt - 1000;

    beforeAll(async () => {
      started = await startTable();
      gate = await Gate.start(started.location.endpoint);
      quick = await catalogOn(started, busy, { now: () => time });
      await declare(quick, types);
      await make(quick, ['User', 'anna', {}]);
    });
    /** Each test has sessions of its own, and deletes all expired ones. */
    beforeEach(() => (time = dueAt - 1000));
    afterAll(async () => {
      await quick.close();
      await gate.close();
      await started.close();
    });

    it('skips an entity whose expiry time is extended concurrently', async () => {
      await make(quick, ['Session', 's', sessionOf()], ['Session', 'other', sessionOf()]);
      const held = gate.hold(deletes('s'));
      const environment = { ...busy, ...gate.environment };
      // The clock of this replica is ahead.
      const slow = await catalogOn(started, environment, { now: () => afterMargin });
      await held.arrived;
      const body = { attributes: { until: iso(dueAt + 9e6) } };
      const patched = await quick.ask(pathOf('Session', 's'), { method: 'PATCH', body });
      expect(patched).toMatchObject({ status: 200, body: { version: 2 } });
      held.release();
      await untilDeleted(started.table, ['other']);
      await until('the pass to end', async () => !(await isExpiring(started.table)));
      expect(await slow.ask(pathOf('Session', 's'))).toMatchObject({ status: 200 });
      expect(await slow.metric('engawa_expired_entities_total')).toBe(1);
      await slow.close();
    });

    it.each(times)('is completed by another replica if one is killed before %s', async (at) => {
      const [prefix, matches] = kills[at];
      const ids = Array.from({ length: 30 }, (_, index) => `${prefix}${index}`);
      const past = iso(Date.now() - 3_600_000);
      // Nothing has expired by the clock of this replica.
      time = Date.parse('2020-01-01');
      const sessions = ids.map((id) => ({ type: 'Session', id, ...sessionOf({ until: past }) }));
      const note = { type: 'Note', id: `n${prefix}`, relations: { session: `${prefix}9` } };
      const body = [...sessions, note];
      const made = await quick.ask('/v1/entities', { method: 'POST', body });
      expect(made).toMatchObject({ status: 200, body: { entities: { created: 31 }, failed: 0 } });
      const held = gate.hold(matches);
      const child = await startChild(started, {
        heapMb: 200,
        environment: { ...busy, ...gate.environment },
      });
      await held.arrived;
      await child.kill('SIGKILL');
      // The request in flight may be executed or not.
      held.release();
      // After the claim of the killed replica has expired.
      time = dueAt;
      await untilDeleted(started.table, ids);
      expect(await isStored(started.table, 'anna', 'User')).toBe(true);
      await until('the pass to end', async () => !(await isExpiring(started.table)));
      // The intent record of the last deletion is claimed by the replica that deleted the entity.
      if (matches === ends) return;
      await until('the relation to be removed', async () => {
        const { body } = await quick.ask(pathOf('Note', note.id));
        return !('session' in (body as { relations: object }).relations);
      });
    });
  });
}
