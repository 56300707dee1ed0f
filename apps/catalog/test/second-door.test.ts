import { until } from '@engawa/testing';
import { catalogOn } from './catalog.ts';
import { declare, itemsOf, make, pathOf, put } from './entities.ts';
import { Gate, isTransaction } from './gate.ts';
import { ask, idsIn } from './questions.ts';
import { startTable } from './table.ts';
import { getType, putType, untilBuilt } from './types.ts';
import type { Catalog } from './catalog.ts';
import type { StartedTable } from './table.ts';

const door = { attributes: [{ name: 'colour', kind: 'text' }] };
const house = (many: boolean) => ({
  attributes: [{ name: 'name', kind: 'text' }],
  relations: [{ name: 'door', to: 'Door', many }],
});

describe('a house that gets a second door', () => {
  let started: StartedTable;
  let gate: Gate;
  let knows: Catalog;
  /** Looks for changes of types only where it has to. */
  let late: Catalog;
  beforeEach(async () => {
    started = await startTable();
    gate = await Gate.start(started.location.endpoint);
    const environment = { TYPE_SETTLE_MS: '3000', TASK_REFRESH_MS: '200' };
    knows = await catalogOn(started, { ...environment, TYPE_REFRESH_MS: '50' });
    await declare(knows, { Door: door, House: house(false) });
    const seldom = { TYPE_REFRESH_MS: '600000', ...gate.environment };
    late = await catalogOn(started, { ...environment, ...seldom });
    await make(knows, ...['front', 'back', 'side'].map((id) => ['Door', id, {}] as const), [
      'House',
      'h',
      { attributes: { name: 'Hut' }, relations: { door: 'front' } },
    ]);
  });
  afterEach(async () => {
    await Promise.all([knows, late].map((catalog) => catalog.close()));
    await gate.close();
    await started.close();
  });

  const widen = () => putType(knows, 'House', house(true));
  const patchDoors = (catalog: Catalog, change: unknown) =>
    catalog.ask(pathOf('House', 'h'), { method: 'PATCH', body: { relations: { door: change } } });
  const doors = async (catalog = knows) => {
    const { body } = await catalog.ask(pathOf('House', 'h'));
    return (body as { relations: { door?: unknown } }).relations.door;
  };
  const housesOf = (id: string) =>
    ask<{ items: { id: string }[] }>(knows, ['entities', 'Door', id, 'related', 'House']).then(
      (page) => idsIn([page]),
    );

  it('has it at once in both directions, and is rewritten in the background', async () => {
    expect(await doors()).toBe('front');
    expect(await widen()).toMatchObject({ status: 200 });
    expect(await doors()).toEqual(['front']);
    expect(await patchDoors(knows, { add: ['back'] })).toMatchObject({ status: 200 });
    expect(await doors()).toEqual(['back', 'front']);
    expect(await housesOf('front')).toEqual(['h']);
    await until('the way back of the second', async () => (await housesOf('back')).length > 0);
    await untilBuilt(knows, 'House');
    expect(await doors()).toEqual(['back', 'front']);
    const [own] = await itemsOf(started.table, 'House', 'h');
    expect(own).toMatchObject({ data: { one: {} } });
  });

  it('keeps both where a replica writes that did not know', async () => {
    await widen();
    await patchDoors(knows, { add: ['back'] });
    const body = { attributes: { name: 'Home' } };
    expect(await late.ask(pathOf('House', 'h'), { method: 'PATCH', body })).toMatchObject({
      status: 200,
    });
    expect(await doors()).toEqual(['back', 'front']);
    // It has learned that there are more, from the entity.
    expect(await doors(late)).toEqual(['back', 'front']);
  });

  it('takes what such a replica has written before it knew', async () => {
    await widen();
    const held = gate.hold((request) => isTransaction(request) && request.body.includes('#h'));
    const written = put(late, ['House', 'h'], { relations: { door: 'side' } });
    await held.arrived;
    held.release();
    expect(await written).toMatchObject({ status: 200 });
    expect(await doors()).toEqual(['side']);
    await patchDoors(knows, { add: ['back'] });
    await untilBuilt(knows, 'House');
    expect(await doors()).toEqual(['back', 'side']);
  });

  it('takes a single id of older clients as the whole list', async () => {
    await widen();
    await patchDoors(knows, ['back', 'front']);
    expect(await put(knows, ['House', 'h'], { relations: { door: 'side' } })).toMatchObject({
      status: 200,
    });
    expect(await doors()).toEqual(['side']);
  });

  it('does not get less than it has', async () => {
    await widen();
    await untilBuilt(knows, 'House');
    expect(await putType(knows, 'House', house(false))).toMatchObject({
      status: 409,
      body: { type: '/problems/type-in-use', errors: [{ path: 'body.relations[0]' }] },
    });
    expect((await getType(knows, 'House')).version).toBeGreaterThan(1);
  });
});
