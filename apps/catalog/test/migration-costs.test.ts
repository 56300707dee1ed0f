import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declare, make, ownName, pathOf, quiet } from './entities.ts';
import { putType, typePath, untilBuilt } from './types.ts';

const count = 40;
const ids = Array.from({ length: count }, (_, index) => `h${100 + index}`);
const door = { attributes: [] };
const Door = 'Door';
const house = {
  attributes: [{ name: 'color', kind: 'text' }],
  relations: [{ name: 'door', to: Door, many: true }],
};

/** The costs in docs/catalog.md, section "Costs". */
describe('a migration', () => {
  const catalog = openBeforeAll(() => startCatalog({ ...quiet, TYPE_SETTLE_MS: '0' }));
  let House: string;
  beforeAll(async () => {
    await declare(catalog, { [Door]: door });
    await make(catalog, [Door, 'd', {}]);
  });
  beforeEach(async () => {
    House = ownName('House');
    await declare(catalog, { [House]: house });
    const content = { attributes: { color: 'red' }, relations: { door: ['d'] } };
    const body = ids.map((id) => ({ type: House, id, ...content }));
    expect(await catalog.ask('/v1/entities', { method: 'POST', body })).toMatchObject({
      body: { entities: { created: count } },
    });
  });

  async function costOf(definition: object) {
    const cost = await catalog.costOf(async () => {
      await putType(catalog, House, definition);
      await untilBuilt(catalog, House);
    });
    return { queries: cost['Query'] ?? 0, transactions: cost['TransactWriteItems'] ?? 0 };
  }

  it.each([
    [
      'an attribute that is renamed',
      { ...house, attributes: [{ name: 'colour', kind: 'text', renamedFrom: 'color' }] },
    ],
    [
      'a relation that is renamed',
      { ...house, relations: [{ name: 'doors', to: Door, many: true, renamedFrom: 'door' }] },
    ],
  ])('costs two requests per entity: %s', async (_, definition) => {
    const { queries, transactions } = await costOf(definition);
    // One more for the type, and one to record that it is built.
    expect(transactions).toBe(count + 2);
    // Pages of the list and of the types, and polls of the build state.
    expect(queries).toBeGreaterThanOrEqual(count);
    expect(queries).toBeLessThan(count + 40);
  });

  it('costs two requests to read its progress', async () => {
    const cost = await catalog.costOf(() => catalog.ask(typePath(House)));
    expect(cost).toEqual({ GetItem: 1, Query: 1 });
  });

  it('costs one request to read an entity meanwhile', async () => {
    const attributes = [{ name: 'colour', kind: 'text', renamedFrom: 'color' }];
    // A service of its own, which does not begin the migration.
    const settling = await startCatalog({ ...quiet, TYPE_SETTLE_MS: '600000' });
    await declare(settling, { [Door]: door, [House]: house });
    await make(settling, [House, 'h', { attributes: { color: 'red' } }]);
    await putType(settling, House, { ...house, attributes });
    const cost = await settling.costOf(async () => {
      const { body } = await settling.ask(pathOf(House, 'h'));
      expect(body).toMatchObject({ attributes: { colour: 'red' } });
    });
    expect(cost).toEqual({ Query: 1 });
    await settling.close();
  });
});
