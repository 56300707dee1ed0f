import { entityItem, relationItem } from '@engawa/model';
import { rollForward } from '../src/entities/staged/roll-forward.ts';
import { catalogOn } from './catalog.ts';
import { itemsOf, make, pathOf, put, quiet } from './entities.ts';
import { Gate, isTransaction, settles } from './gate.ts';
import { ids, medley, startTwoReplicas } from './two-replicas.ts';
import type { Catalog } from './catalog.ts';
import type { StartedTable } from './table.ts';
import type { TwoReplicas } from './two-replicas.ts';

describe('a staged write that another replica completes', () => {
  let started: StartedTable;
  let gate: Gate;
  let quick: Catalog;
  let slow: Catalog;

  let featuring: TwoReplicas['featuring'];
  let close: TwoReplicas['close'];

  beforeAll(async () => {
    ({ started, gate, quick, slow, featuring, close } = await startTwoReplicas());
  });
  afterAll(() => close());

  /** A write of a failed writer, committed and not rolled forward: the relation to a001 is replaced by one to a002. */
  async function putCommittedItems(id: string): Promise<void> {
    const from = { type: 'Track', id };
    const own = {
      ...from,
      ...{ createdAt: 1, updatedAt: 1, version: 1, layout: 1, writeId: 'w', settles: 'W' },
      attributes: new Map([['title', 'left']]),
      one: new Map(),
    };
    const row = (other: string, relations: string[], becomes: string[]) => ({
      ...{ from, to: { type: 'Artist', id: other }, relations, at: 1 },
      staged: { write: 'W', relations: becomes },
    });
    const rows = [row('a001', ['featuring'], []), row('a002', [], ['featuring'])];
    const items = [entityItem(own, { shards: 1 }), ...rows.map(relationItem)];
    for (const item of items) await started.table.put(item);
  }

  async function expectNoStagedItems(id: string): Promise<void> {
    const text = JSON.stringify(await itemsOf(started.table, 'Track', id));
    expect(text).not.toMatch(/staged|staging|settles/);
  }

  it('is superseded by the later write if the first replica is slow to roll its rows forward', async () => {
    const held = gate.hold(settles);
    const first = put(slow, ['Track', 'r'], medley('one', ids.slice(0, 120)));
    await held.arrived;
    await make(quick, ['Track', 'r', medley('two', ids.slice(0, 3))]);
    held.release();
    expect(await first).toMatchObject({ status: 201 });
    expect(await featuring('r')).toEqual(ids.slice(0, 3));
    await expectNoStagedItems('r');
  });

  it('is superseded by the later write if the first replica is slow to complete', async () => {
    const held = gate.hold(({ operation, body }) => {
      return operation === 'UpdateItem' && body.includes('"settles"');
    });
    const first = put(slow, ['Track', 'f'], medley('one', ids.slice(0, 65)));
    await held.arrived;
    // The second write is committed and not rolled forward: the slow replica must not revert it.
    const next = await Gate.start(started.location.endpoint);
    const other = await catalogOn(started, { ...quiet, ...next.environment });
    const rollForward = next.hold((request) => settles(request) && request.body.includes('a129'));
    const second = put(other, ['Track', 'f'], medley('two', ids.slice(65)));
    await rollForward.arrived;
    held.release();
    expect(await first).toMatchObject({ status: 201 });
    expect(await featuring('f')).toEqual(ids.slice(65));
    rollForward.release();
    expect(await second).toMatchObject({ status: 200 });
    expect(await featuring('f')).toEqual(ids.slice(65));
    await expectNoStagedItems('f');
    await other.close();
    await next.close();
  });

  it('is not restarted by a replica with an outdated read', async () => {
    await putCommittedItems('s');
    const held = gate.hold(isTransaction);
    const body = { attributes: { title: 'new' } };
    const patched = slow.ask(pathOf('Track', 's'), { method: 'PATCH', body });
    await held.arrived;
    await rollForward({ table: started.table }, { type: 'Track', id: 's' }, 'W');
    held.release();
    expect(await patched).toMatchObject({ status: 200 });
    expect(await featuring('s')).toEqual(['a002']);
    await expectNoStagedItems('s');
  });

  it('blocks the deletion of its targets', async () => {
    await putCommittedItems('d');
    const remove = (id: string) => quick.ask(pathOf('Artist', id), { method: 'DELETE' });
    expect(await remove('a002')).toMatchObject({
      status: 409,
      body: {
        errors: expect.arrayContaining([
          { path: 'Track/d', message: 'relates to it as featuring' },
        ]) as unknown,
      },
    });
    await quick.ask(pathOf('Track', 'r'), { method: 'DELETE' });
    expect(await remove('a001')).toMatchObject({ status: 204 });
  });
});
