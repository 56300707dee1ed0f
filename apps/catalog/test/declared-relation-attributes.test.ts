import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declare, make, pathOf, quiet } from './entities.ts';
import { admin, group, others, people, role } from './groups.ts';
import { problemOf } from './list-queries.ts';
import { putType } from './types.ts';

describe('the declaration of relation attributes', () => {
  const catalog = openBeforeAll(() => startCatalog(quiet));
  beforeAll(async () => {
    await declare(catalog, { Person: {}, Group: group });
    await make(catalog, ...people.map((id) => ['Person', id, {}] as const));
    const relations = { members: [{ id: 'anna', attributes: admin }] };
    await make(catalog, ['Group', 'g', { relations }]);
  });

  it('may be added to an existing relation, and is unchanged when sent again', async () => {
    const declared = (attributes: object[]) => ({
      ...group,
      relations: [{ ...group.relations[0], attributes }, ...group.relations.slice(1)],
    });
    const less = await putType(catalog, 'Group', declared(others));
    expect(problemOf(less)).toMatchObject({ status: 409, type: 'type-in-use' });
    const other = await putType(
      catalog,
      'Group',
      declared([{ ...role, kind: 'number' }, ...others]),
    );
    expect(problemOf(other)).toMatchObject({ status: 409, type: 'type-in-use' });
    const more = { name: 'note', kind: 'text' };
    const all = await putType(catalog, 'Group', declared([role, ...others, more]));
    expect(all).toMatchObject({ status: 200 });
    const add = [{ id: 'anna', attributes: { note: 'first' } }];
    const body = { relations: { members: { add } } };
    await catalog.ask(pathOf('Group', 'g'), { method: 'PATCH', body });
    const members = [{ id: 'anna', attributes: { ...admin, note: 'first' } }];
    expect(await catalog.ask(pathOf('Group', 'g'))).toMatchObject({
      body: { relations: { members } },
    });
  });

  it.each<[object, string]>([
    [{ many: false, attributes: [{ name: 'a', kind: 'text' }] }, 'body.relations[0].attributes'],
    [
      { many: true, attributes: ['a', 'a'].map((name) => ({ name, kind: 'text' })) },
      'body.relations[0].attributes[1].name',
    ],
    [
      { many: true, attributes: [{ name: '__proto__', kind: 'text' }] },
      'body.relations[0].attributes[0].name',
    ],
    [
      { many: true, attributes: [{ name: 'a', kind: 'map' }] },
      'body.relations[0].attributes[0].kind',
    ],
  ])('is refused if invalid: %j', async (relation, at) => {
    const body = { relations: [{ name: 'r', to: 'Person', ...relation }] };
    expect(problemOf(await putType(catalog, 'Bad', body))).toMatchObject({
      status: 400,
      paths: [at],
    });
  });
});
