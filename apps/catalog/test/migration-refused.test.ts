import { entityKey } from '@engawa/keys';
import { itemSize } from '@engawa/model';
import { openBeforeAll, until } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declare, make, ownName, pathOf } from './entities.ts';
import { getType, putType, untilBuilt } from './types.ts';

const thing = { attributes: [{ name: 'n', kind: 'text' }] };
const renamed = { attributes: [{ name: 'n'.repeat(100), kind: 'text', renamedFrom: 'n' }] };

describe('an entity that is too large for its migration', () => {
  const catalog = openBeforeAll(() => startCatalog({ TYPE_SETTLE_MS: '0', TYPE_REFRESH_MS: '50' }));
  let Thing: string;
  beforeEach(async () => {
    Thing = ownName('Thing');
    await declare(catalog, { [Thing]: thing });
  });

  it('is reported in the type, returned in migrated form, and loses no data', async () => {
    await make(
      catalog,
      [Thing, 'full', { attributes: { n: '' } }],
      [Thing, 'small', { attributes: { n: 'x' } }],
    );
    const key = entityKey({ type: Thing, id: 'full' });
    const item = await catalog.table.get(key);
    const value = 'x'.repeat(400 * 1024 - itemSize(item ?? {}));
    await catalog.table.update(key, { setInside: [{ path: ['data', 'attributes', 'n'], value }] });
    await putType(catalog, Thing, renamed);
    await until('the entity to be reported', async () => {
      const { build } = await getType(catalog, Thing);
      return build?.refused !== undefined && build.done === 0;
    });
    const refused = { count: 1, examples: [{ id: 'full' }] };
    expect(await getType(catalog, Thing)).toMatchObject({ build: { refused } });
    expect(await catalog.ask(pathOf(Thing, 'full'))).toMatchObject({
      body: { attributes: { ['n'.repeat(100)]: value } },
    });
    expect(await catalog.table.get(entityKey({ type: Thing, id: 'small' }))).toMatchObject({
      data: { attributes: { ['n'.repeat(100)]: 'x' } },
    });

    // Any change of the type retries all left-out entities.
    const body = { attributes: { ['n'.repeat(100)]: 'short' } };
    expect(await catalog.ask(pathOf(Thing, 'full'), { method: 'PATCH', body })).toMatchObject({
      status: 200,
    });
    const searches = [{ name: 'all', parts: [{ attribute: 'n'.repeat(100) }] }];
    await putType(catalog, Thing, { ...renamed, searches });
    await until('the later build to end', async () => {
      const { searches: shown } = await getType(catalog, Thing);
      return shown.every(({ state }) => state === 'ready');
    });
    expect(await getType(catalog, Thing)).not.toHaveProperty('build');
  });

  it('does not block a build without migration', async () => {
    await make(catalog, [Thing, 'long', { attributes: { n: 'x'.repeat(5000) } }]);
    await putType(catalog, Thing, {
      ...thing,
      searches: [{ name: 'all', parts: [{ attribute: 'n' }] }],
    });
    await untilBuilt(catalog, Thing);
    expect(await getType(catalog, Thing)).toMatchObject({
      leftOut: [{ search: 'all', count: 1 }],
    });
  });
});
