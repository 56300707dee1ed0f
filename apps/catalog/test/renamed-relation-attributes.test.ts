import { declare, itemsOf, make, pathOf, put } from './entities.ts';
import { replaceToBuild, startSettling } from './held-builds.ts';
import { ask, itemsIn, walk } from './list-queries.ts';
import { startTable } from './table.ts';
import { getType, putType } from './types.ts';
import type { Catalog } from './catalog.ts';
import type { StartedTable } from './table.ts';

const roles = [
  { name: 'role', kind: 'text', required: true },
  { name: 'since', kind: 'number' },
];
const relation = (name: string, more: object = {}) => ({
  ...{ name, to: 'Person', many: true, attributes: roles },
  ...more,
});
const guests = { name: 'guests', to: 'Person', many: true };
const club = { relations: [relation('members'), guests] };
const renamed = { relations: [relation('people', { renamedFrom: 'members' }), guests] };

interface RelatedEntity {
  id: string;
  relations: string[];
  attributes?: Record<string, object>;
}

describe('a renamed relation with attributes', () => {
  let started: StartedTable;
  let catalog: Catalog;
  // Each test has a service of its own, and replaces it to begin the build.
  beforeEach(async () => {
    started = await startTable();
    catalog = await startSettling(started);
    await declare(catalog, { Person: {}, Club: club });
    await make(catalog, ...['anna', 'ben', 'cho'].map((id) => ['Person', id, {}] as const));
    const members = [
      { id: 'anna', attributes: { role: 'chair', since: 1 } },
      { id: 'ben', attributes: { role: 'guest' } },
    ];
    await make(catalog, ['Club', 'go', { relations: { members, guests: ['anna'] } }]);
  });
  afterEach(async () => {
    await catalog.close();
    await started.close();
  });

  const build = async () => (catalog = await replaceToBuild(catalog, started, 'Club'));

  const patch = async (relations: object) => {
    const answer = await catalog.ask(pathOf('Club', 'go'), {
      method: 'PATCH',
      body: { relations },
    });
    expect(answer).toMatchObject({ status: 200 });
  };

  /** The results of all queries, during and after the build. */
  async function always(check: () => Promise<void>): Promise<void> {
    expect(await getType(catalog, 'Club')).toHaveProperty('build');
    await check();
    await build();
    await check();
  }

  async function expectPeople(name: string, people: object[]): Promise<void> {
    const whole = { relations: { [name]: people, guests: ['anna'] } };
    expect(await ask(catalog, ['entities', 'Club', 'go'])).toMatchObject(whole);
    const pages = await walk(catalog, ['entities', 'Club'], { whole: 'true' });
    expect(itemsIn(pages)).toMatchObject([whole]);
    const fields = await ask(catalog, ['entities', 'Club', 'go'], { fields: name });
    expect(fields).toMatchObject({ relations: { [name]: people } });
    const of = async (...segments: string[]) =>
      itemsIn(await walk<RelatedEntity>(catalog, ['entities', ...segments])).map(
        ({ id, attributes }) => [id, attributes?.[name], Object.keys(attributes ?? {})],
      );
    const rows = (people as RelatedEntity[]).map(
      ({ id, attributes }) => [id, attributes, [name]] as const,
    );
    expect(await of('Club', 'go', 'related', 'Person')).toEqual(rows);
    expect(await of('Club', 'go', 'related')).toEqual(rows);
    for (const [id, ...said] of rows) {
      expect(await of('Person', id, 'related', 'Club')).toEqual([['go', ...said]]);
    }
  }

  it('keeps its attributes in all queries', async () => {
    await putType(catalog, 'Club', renamed);
    await always(() =>
      expectPeople('people', [
        { id: 'anna', attributes: { role: 'chair', since: 1 } },
        { id: 'ben', attributes: { role: 'guest' } },
      ]),
    );
    expect(JSON.stringify(await itemsOf(catalog.table, 'Club', 'go'))).not.toContain('members');
  });

  it('keeps its attributes through changes during the migration', async () => {
    await putType(catalog, 'Club', renamed);
    const ben = { id: 'ben', attributes: { since: 2 } };
    await patch({ people: { add: ['anna', ben, { id: 'cho', attributes: { role: 'new' } }] } });
    await always(() =>
      expectPeople('people', [
        { id: 'anna', attributes: { role: 'chair', since: 1 } },
        { id: 'ben', attributes: { role: 'guest', since: 2 } },
        { id: 'cho', attributes: { role: 'new' } },
      ]),
    );
  });

  it('keeps its attributes if the entity is replaced during the migration', async () => {
    await putType(catalog, 'Club', renamed);
    const people = ['anna', { id: 'ben', attributes: { role: 'clerk' } }];
    const answer = await put(catalog, ['Club', 'go'], { relations: { people } });
    expect(answer).toMatchObject({ status: 200 });
    await always(() =>
      expectPeople('people', [
        { id: 'anna', attributes: { role: 'chair', since: 1 } },
        { id: 'ben', attributes: { role: 'clerk' } },
      ]),
    );
  });

  it('keeps its attributes through a second rename during the first', async () => {
    await putType(catalog, 'Club', renamed);
    await putType(catalog, 'Club', {
      relations: [relation('crew', { renamedFrom: 'people' }), guests],
    });
    await always(() =>
      expectPeople('crew', [
        { id: 'anna', attributes: { role: 'chair', since: 1 } },
        { id: 'ben', attributes: { role: 'guest' } },
      ]),
    );
  });

  it('loses its attributes with the relation', async () => {
    await putType(catalog, 'Club', { relations: [guests], removed: ['members'] });
    await always(async () => {
      expect(await ask(catalog, ['entities', 'Club', 'go'])).toMatchObject({
        relations: { guests: ['anna'] },
      });
      const rows = itemsIn(
        await walk<RelatedEntity>(catalog, ['entities', 'Club', 'go', 'related']),
      );
      expect(rows).toEqual([
        { type: 'Person', id: 'anna', relations: ['guests'], direction: 'forward' },
      ]);
    });
    expect(JSON.stringify(await itemsOf(catalog.table, 'Club', 'go'))).not.toContain('chair');
  });
});
