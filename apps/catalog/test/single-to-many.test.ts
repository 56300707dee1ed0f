import { openBeforeAll, until } from '@engawa/testing';
import { catalogOn } from './catalog.ts';
import { declare, itemsOf, make, ownName, pathOf, put } from './entities.ts';
import { Gate, isTransaction } from './gate.ts';
import { ask, idsIn } from './list-queries.ts';
import { startTable } from './table.ts';
import { getType, putType, untilBuilt } from './types.ts';
import type { Catalog } from './catalog.ts';

const door = { attributes: [{ name: 'colour', kind: 'text' }] };
const houseOf = (Door: string, many: boolean) => ({
  attributes: [{ name: 'name', kind: 'text' }],
  relations: [{ name: 'door', to: Door, many }],
});

describe('a relation that changes from one target to many', () => {
  const environment = { TYPE_SETTLE_MS: '3000', TASK_REFRESH_MS: '200' };
  const started = openBeforeAll(startTable);
  const gate = openBeforeAll(() => Gate.start(started.location.endpoint));
  const current = openBeforeAll(() =>
    catalogOn(started, { ...environment, TYPE_REFRESH_MS: '50' }),
  );
  /** Polls types only when needed. */
  const outdated = openBeforeAll(() =>
    catalogOn(started, { ...environment, TYPE_REFRESH_MS: '600000', ...gate.environment }),
  );
  let Door: string;
  let House: string;
  beforeEach(async () => {
    [Door, House] = [ownName('Door'), ownName('House')];
    await declare(current, { [Door]: door, [House]: house(false) });
    // The outdated replica polls the types, since it does not know the name.
    expect(await outdated.ask(`/v1/entities/${House}`)).toMatchObject({ status: 200 });
    await make(current, ...['front', 'back', 'side'].map((id) => [Door, id, {}] as const), [
      House,
      'h',
      { attributes: { name: 'Hut' }, relations: { door: 'front' } },
    ]);
  });

  const house = (many: boolean) => houseOf(Door, many);
  const widen = () => putType(current, House, house(true));
  const patchDoors = (catalog: Catalog, change: unknown) =>
    catalog.ask(pathOf(House, 'h'), { method: 'PATCH', body: { relations: { door: change } } });
  const doors = async (catalog = current) => {
    const { body } = await catalog.ask(pathOf(House, 'h'));
    return (body as { relations: { door?: unknown } }).relations.door;
  };
  const housesOf = (id: string) =>
    ask<{ items: { id: string }[] }>(current, ['entities', Door, id, 'related', House]).then(
      (page) => idsIn([page]),
    );

  it('is readable at once in both directions, and rewritten in the background', async () => {
    expect(await doors()).toBe('front');
    expect(await widen()).toMatchObject({ status: 200 });
    expect(await doors()).toEqual(['front']);
    expect(await patchDoors(current, { add: ['back'] })).toMatchObject({ status: 200 });
    expect(await doors()).toEqual(['back', 'front']);
    expect(await housesOf('front')).toEqual(['h']);
    await until(
      'the incoming relation of the second entity',
      async () => (await housesOf('back')).length > 0,
    );
    await untilBuilt(current, House);
    expect(await doors()).toEqual(['back', 'front']);
    const [own] = await itemsOf(started.table, House, 'h');
    expect(own).toMatchObject({ data: { one: {} } });
  });

  it('keeps all targets if a replica with outdated types writes', async () => {
    await widen();
    await patchDoors(current, { add: ['back'] });
    const body = { attributes: { name: 'Home' } };
    expect(await outdated.ask(pathOf(House, 'h'), { method: 'PATCH', body })).toMatchObject({
      status: 200,
    });
    expect(await doors()).toEqual(['back', 'front']);
    // The replica refreshed its types when it read the entity.
    expect(await doors(outdated)).toEqual(['back', 'front']);
  });

  it('includes writes of a replica with outdated types', async () => {
    await widen();
    const held = gate.hold(
      (request) => isTransaction(request) && request.body.includes(`#${House}#h`),
    );
    const written = put(outdated, [House, 'h'], { relations: { door: 'side' } });
    await held.arrived;
    held.release();
    expect(await written).toMatchObject({ status: 200 });
    expect(await doors()).toEqual(['side']);
    await patchDoors(current, { add: ['back'] });
    await untilBuilt(current, House);
    expect(await doors()).toEqual(['back', 'side']);
  });

  it('accepts a single id from older clients as the whole list', async () => {
    await widen();
    await patchDoors(current, ['back', 'front']);
    expect(await put(current, [House, 'h'], { relations: { door: 'side' } })).toMatchObject({
      status: 200,
    });
    expect(await doors()).toEqual(['side']);
  });

  it('cannot change back to one target', async () => {
    await widen();
    await untilBuilt(current, House);
    expect(await putType(current, House, house(false))).toMatchObject({
      status: 409,
      body: { type: '/problems/type-in-use', errors: [{ path: 'body.relations[0]' }] },
    });
    expect((await getType(current, House)).version).toBeGreaterThan(1);
  });
});
