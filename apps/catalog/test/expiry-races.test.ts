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
import type { Catalog } from './catalog.ts';
import type { TableRequest } from './gate.ts';
import type { StartedTable } from './table.ts';

/** The transaction that deletes a session: it is the only one that has its row deleted. */
const deletes =
  (id: string) =>
  ({ operation, body }: TableRequest) =>
    operation === 'TransactWriteItems' &&
    body.includes(`"E#Session#${id}"`) &&
    body.includes('gone');
const claims = ({ operation, body }: TableRequest) =>
  operation === 'UpdateItem' && body.includes('EXPIRY#0');
const ends = ({ operation, body }: TableRequest) =>
  operation === 'DeleteItem' && body.includes('EXPIRY#0');

describe('the deletion of expired entities', () => {
  let started: StartedTable;
  let gate: Gate;
  let quick: Catalog;
  let time: number;

  beforeEach(async () => {
    started = await startTable();
    gate = await Gate.start(started.location.endpoint);
    time = dueAt - 1000;
    quick = await catalogOn(started, busy, { now: () => time });
    await declare(quick, types);
    await make(quick, ['User', 'anna', {}]);
  });
  afterEach(async () => {
    await quick.close();
    await gate.close();
    await started.close();
  });

  it('leaves alone what is extended at the last moment', async () => {
    await make(quick, ['Session', 's', sessionOf()], ['Session', 'other', sessionOf()]);
    const held = gate.hold(deletes('s'));
    const environment = { ...busy, ...gate.environment };
    // Its clock is ahead of that of the other.
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

  it.each([
    ['its claim', claims],
    ['its first deletion', deletes('s0')],
    ['a deletion in between', deletes('s20')],
    ['its end', ends],
  ])('is ended by another replica where one is killed before %s', async (_, isMeant) => {
    const ids = Array.from({ length: 30 }, (_, index) => `s${index}`);
    const past = iso(Date.now() - 3_600_000);
    // By the clock of this replica, nothing has expired yet.
    time = Date.parse('2020-01-01');
    await make(quick, ...ids.map((id) => ['Session', id, sessionOf({ until: past })] as const), [
      'Note',
      'n',
      { relations: { session: 's9' } },
    ]);
    const held = gate.hold(isMeant);
    const child = await startChild(started, {
      heapMb: 200,
      environment: { ...busy, ...gate.environment },
    });
    await held.arrived;
    await child.kill('SIGKILL');
    // What it sent has left it: it takes place, or does not.
    held.release();
    // Behind the claim of the one that was killed.
    time = dueAt;
    await untilDeleted(started.table, ids);
    expect(await isStored(started.table, 'anna', 'User')).toBe(true);
    await until('the pass to end', async () => !(await isExpiring(started.table)));
    // The last of them: what is left to do behind it is claimed by the one that has deleted it.
    if (isMeant === ends) return;
    await until('the relation to be gone', async () => {
      const { body } = await quick.ask(pathOf('Note', 'n'));
      return !('session' in (body as { relations: object }).relations);
    });
  });
});
