import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declare, make, pathOf, put, quiet } from './entities.ts';
import { admin, group, guest, people } from './groups.ts';
import { ask, problemOf } from './list-queries.ts';
import type { EntityInput } from './entities.ts';
import type { Page } from './list-queries.ts';

interface RelatedEntity {
  id: string;
  relations: string[];
  attributes?: Record<string, object>;
}

describe('attributes of a relation', () => {
  const catalog = openBeforeAll(() => startCatalog(quiet));
  beforeAll(async () => {
    await declare(catalog, { Person: {}, Group: group });
    await make(catalog, ...people.map((id) => ['Person', id, {}] as const));
  });
  beforeEach(async () => {
    const members = [
      { id: 'anna', attributes: admin },
      { id: 'ben', attributes: guest },
    ];
    const relations = { members, invited: ['anna', 'cho'], owner: 'cho' };
    await make(catalog, ['Group', 'g', { attributes: { name: 'G' }, relations }]);
  });

  const relationsOf = async (id = 'g') =>
    ((await catalog.ask(pathOf('Group', id))).body as { relations: Record<string, unknown> })
      .relations;
  const members = async (id = 'g') => (await relationsOf(id))['members'];
  const patch = (relations: object, headers: Record<string, string> = {}) =>
    catalog.ask(pathOf('Group', 'g'), { method: 'PATCH', body: { relations }, headers });
  const related = async (segments: string[]) =>
    (await ask<Page<RelatedEntity>>(catalog, ['entities', ...segments])).items.map((row) => [
      row.id,
      row.attributes,
    ]);

  it('are returned in both directions without another request', async () => {
    const cost = await catalog.costOf(async () => {
      expect(await relationsOf()).toEqual({
        members: [
          { id: 'anna', attributes: admin },
          { id: 'ben', attributes: guest },
        ],
        invited: ['anna', 'cho'],
        owner: 'cho',
      });
    });
    expect(cost).toEqual({ Query: 1 });
    expect(await related(['Group', 'g', 'related', 'Person'])).toEqual([
      ['anna', { members: admin }],
      ['ben', { members: guest }],
      ['cho', undefined],
    ]);
    expect(await related(['Person', 'ben', 'related', 'Group'])).toEqual([
      ['g', { members: guest }],
    ]);
    expect(await related(['Person', 'ben', 'related'])).toEqual([['g', { members: guest }]]);
  });

  it('are changed by PATCH: only named attributes of added targets change', async () => {
    const cost = await catalog.costOf(async () => {
      const attributes = { since: '2026-11-02T00:00:00Z', constructor: 1 };
      const answer = await patch({ members: { add: [{ id: 'anna', attributes }] } });
      expect(answer).toMatchObject({ status: 200 });
    });
    // A kept relation: one more request checks the incarnation of the target.
    expect(cost).toEqual({ Query: 1, BatchGetItem: 1, TransactWriteItems: 1 });
    await patch({ members: { add: [{ id: 'ben', attributes: { since: null } }, 'anna'] } });
    expect(await members()).toEqual([
      {
        id: 'anna',
        attributes: { ...admin, since: '2026-11-02T00:00:00.000Z', constructor: 1 },
      },
      { id: 'ben', attributes: { role: 'guest' } },
    ]);
  });

  it('are written only if they change', async () => {
    const { body } = await catalog.ask(pathOf('Group', 'g'));
    const cost = await catalog.costOf(() =>
      patch({ members: { add: [{ id: 'anna', attributes: admin }] } }),
    );
    expect(cost).toEqual({ Query: 1, BatchGetItem: 1 });
    expect((await catalog.ask(pathOf('Group', 'g'))).body).toEqual(body);
  });

  it('are replaced with the relation', async () => {
    await patch({
      members: [
        { id: 'ben', attributes: admin },
        { id: 'cho', attributes: guest },
      ],
    });
    expect(await members()).toEqual([
      { id: 'ben', attributes: admin },
      { id: 'cho', attributes: guest },
    ]);
    // The other relation to the target stays, without attributes.
    expect(await related(['Person', 'anna', 'related', 'Group'])).toEqual([['g', undefined]]);
  });

  it.each<[string, (shown: EntityInput) => EntityInput]>([
    [
      'of the entity, as it is',
      ({ attributes = {}, relations = {} }) => ({ attributes, relations }),
    ],
    ['with ids alone', (shown) => ({ ...shown, relations: { members: ['anna', 'ben'] } })],
    ['without relations to many', ({ attributes = {} }) => ({ attributes })],
  ])('are kept if a response is sent back: %s', async (_, sent) => {
    const { attributes = {}, relations = {} } = (await catalog.ask(pathOf('Group', 'g')))
      .body as EntityInput;
    const body = sent({ attributes, relations });
    const given = { ...body, attributes: { name: 'changed' } };
    expect(await put(catalog, ['Group', 'g'], given)).toMatchObject({ status: 200 });
    expect(await members()).toEqual([
      { id: 'anna', attributes: admin },
      { id: 'ben', attributes: guest },
    ]);
  });

  it('are exported and imported with the list of whole entities', async () => {
    const { body } = await catalog.ask('/v1/entities/Group?whole=true');
    const [shown] = (body as Page<EntityInput>).items;
    const copy = { type: 'Group', id: 'copy', ...shown };
    const answer = await catalog.ask('/v1/entities', {
      method: 'POST',
      body: { ...copy, id: 'copy' },
    });
    expect(answer.body).toMatchObject({ entities: { created: 1 } });
    expect(await relationsOf('copy')).toEqual(await relationsOf('g'));
    await catalog.ask(pathOf('Group', 'copy'), { method: 'DELETE' });
  });

  it('are deleted with the relation, and with the other entity', async () => {
    await make(catalog, ['Person', 'dot', {}]);
    await patch({ members: { add: [{ id: 'dot', attributes: guest }], remove: ['ben'] } });
    expect(await related(['Person', 'ben', 'related', 'Group'])).toEqual([]);
    await catalog.ask(`${pathOf('Person', 'dot')}?detach=true`, { method: 'DELETE' });
    await make(catalog, ['Person', 'dot', {}]);
    // A later incarnation of the id has no attributes.
    const answer = await patch({ members: { add: ['dot'] } });
    expect(problemOf(answer)).toMatchObject({ status: 400, paths: ['body.relations.members'] });
    expect(await patch({ members: { add: [{ id: 'dot', attributes: admin }] } })).toMatchObject({
      status: 200,
    });
    expect(await members()).toContainEqual({ id: 'dot', attributes: admin });
  });

  it('may be written in a transaction', async () => {
    const person = { operation: 'put', type: 'Person', id: 'fay' };
    const add = [
      { id: 'fay', attributes: guest },
      { id: 'anna', attributes: { constructor: 2 } },
    ];
    const change = { operation: 'patch', type: 'Group', id: 'g', relations: { members: { add } } };
    const body = { operations: [person, change] };
    const answer = await catalog.ask('/v1/transactions', { method: 'POST', body });
    expect(answer).toMatchObject({ status: 200 });
    expect(await members()).toEqual([
      { id: 'anna', attributes: { ...admin, constructor: 2 } },
      { id: 'ben', attributes: guest },
      { id: 'fay', attributes: guest },
    ]);
  });

  it('may be written in a staged write', async () => {
    const ids = Array.from({ length: 120 }, (_, index) => `p${1000 + index}`);
    for (const id of ids) await make(catalog, ['Person', id, {}]);
    const many = ids.map((id, index) => ({ id, attributes: { role: `r${index}` } }));
    const relations = { members: many };
    expect(await put(catalog, ['Group', 'large'], { relations })).toMatchObject({ status: 201 });
    expect(await members('large')).toEqual(many);
    const changed = many.map(({ id }) => ({ id, attributes: { role: 'same' } }));
    const body = { relations: { members: { add: changed } } };
    const answer = await catalog.ask(pathOf('Group', 'large'), { method: 'PATCH', body });
    expect(answer).toMatchObject({ status: 200 });
    expect(await members('large')).toEqual(changed);
  });

  it.each<[unknown, number?]>([
    [['cho']],
    [[{ id: 'cho' }]],
    [[{ id: 'cho', attributes: {} }]],
    [[{ id: 'cho', attributes: { role: null } }]],
    [[{ id: 'cho', attributes: { role: 1 } }]],
    [[{ id: 'cho', attributes: { role: 'x', since: 'soon' } }]],
    [[{ id: 'cho', attributes: { role: 'x', other: 1 } }]],
    [[{ id: 'cho', attributes: { role: 'x'.repeat(2000) } }]],
    [[{ id: 'cho', attributes: 'x' }]],
    [[{ id: 'cho', attributes: admin, more: 1 }]],
    [[{ id: 'cho', attributes: admin }, 'cho']],
    [[{ attributes: admin }]],
    [{ add: [{ id: 'anna', attributes: { role: null } }] }],
  ])('are refused with invalid members %j', async (given) => {
    const answer = await patch({ members: given });
    expect(problemOf(answer)).toEqual({
      ...{ status: 400, type: 'invalid-request', paths: ['body.relations.members'] },
    });
  });

  it('are refused if the relation declares none', async () => {
    const answer = await patch({ invited: [{ id: 'anna', attributes: {} }] });
    expect(answer).toMatchObject({ status: 200 });
    const other = await patch({ invited: [{ id: 'anna', attributes: admin }] });
    expect(problemOf(other)).toMatchObject({ status: 400, paths: ['body.relations.invited'] });
  });
});
