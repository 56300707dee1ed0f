import { entityKey } from '@engawa/keys';
import { present } from '@engawa/table';
import { openBeforeAll, until } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declare, make, pathOf, quiet } from './entities.ts';
import type { TestResponse } from './catalog.ts';

/** More than one page of relations has. */
const count = 900;
/** On the second page. */
const late = 850;
const idOf = (index: number) => `p${String(index).padStart(5, '0')}`;
const members = Array.from({ length: count }, (_, index) => idOf(index));
const path = pathOf('Group', 'g');
const person = { attributes: [{ name: 'name', kind: 'text' }] };
const group = {
  attributes: [{ name: 'name', kind: 'text' }],
  relations: [
    { name: 'members', to: 'Person', many: true },
    { name: 'invited', to: 'Person', many: true },
    { name: 'owner', to: 'Person' },
  ],
};

describe('a change of some of many relations of an entity', () => {
  const catalog = openBeforeAll(() => startCatalog({ ...quiet }));
  beforeAll(async () => {
    await declare(catalog, { Person: person, Group: group });
    const body = members.map((id) => JSON.stringify({ type: 'Person', id })).join('\n');
    const headers = { 'content-type': 'application/x-ndjson' };
    await catalog.ask('/v1/entities', { method: 'POST', headers, body });
    await make(catalog, ['Person', 'zz-last', {}], ['Person', 'a-first', {}]);
  });
  beforeEach(() =>
    make(catalog, ['Group', 'g', { relations: { members, invited: [], owner: idOf(count - 1) } }]),
  );

  const patch = (relations: object, more: object = {}) =>
    catalog.ask(path, { method: 'PATCH', body: { relations, ...more } });

  async function stored(): Promise<Record<string, string[]>> {
    const relations: Record<string, string[]> = {};
    let cursor: string | undefined;
    do {
      const asked = `${path}?limit=300${cursor === undefined ? '' : `&cursor=${cursor}`}`;
      const { body } = await catalog.ask(asked);
      const page = body as {
        relations: Record<string, string | string[]>;
        relationParts?: Record<string, string[]>;
        cursor?: string;
      };
      const lists = [
        ...Object.entries(page.relations),
        ...Object.entries(page.relationParts ?? {}),
      ];
      for (const [name, ids] of lists) {
        relations[name] = [...(relations[name] ?? []), ...[ids].flat()];
      }
      ({ cursor } = page);
    } while (cursor !== undefined);
    return Object.fromEntries(
      Object.entries(relations).map(([name, ids]) => [name, [...new Set(ids)].toSorted()]),
    );
  }

  it('reads one page of the entity and the rows of the named targets', async () => {
    const cost = await catalog.costOf(() => patch({ members: { add: ['zz-last'] } }));
    expect(cost).toEqual({ Query: 1, BatchGetItem: 1, TransactWriteItems: 1 });
    expect(await catalog.readUnits(() => patch({ members: { add: ['a-first'] } }))).toBeLessThan(
      15,
    );
    const all = { members: ['a-first', ...members, 'zz-last'], owner: [idOf(count - 1)] };
    expect(await stored()).toEqual(all);
  });

  it.each([
    ['adds a target', { members: { add: ['zz-last'] } }, { members: [...members, 'zz-last'] }],
    ['keeps an existing target', { members: { add: [idOf(7), idOf(late)] } }, {}],
    [
      'removes targets',
      { members: { remove: [idOf(late), idOf(3)] } },
      { members: members.filter((id) => id !== idOf(late) && id !== idOf(3)) },
    ],
    [
      'adds a second relation to a target',
      { invited: { add: [idOf(late)] } },
      { invited: [idOf(late)] },
    ],
    ['replaces the target of a relation to one', { owner: idOf(860) }, { owner: [idOf(860)] }],
    ['removes a relation to one', { owner: null }, { owner: undefined }],
    ['replaces all of one', { members: [idOf(2)] }, { members: [idOf(2)] }],
  ])('%s', async (_, relations, changed) => {
    expect(await patch(relations)).toMatchObject({ status: 200 });
    const expected: Record<string, string[] | undefined> = {
      members,
      owner: [idOf(count - 1)],
      ...changed,
    };
    if (expected['owner'] === undefined) delete expected['owner'];
    expect(await stored()).toEqual(expected);
  });

  it('also changes attributes, and keeps relations to one', async () => {
    const { status, body } = await patch(
      { members: { remove: [idOf(late)] } },
      { attributes: { name: 'choir' } },
    );
    const relations = { owner: idOf(count - 1) };
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { attributes: { name: 'choir' }, relations },
    });
  });

  it('keeps the version if nothing changes', async () => {
    const before = await catalog.ask(path);
    const after = await patch({ members: { add: [idOf(late)] }, owner: idOf(count - 1) });
    const versionOf = ({ body }: TestResponse) => (body as { version: number }).version;
    expect(versionOf(after)).toBe(versionOf(before));
  });

  it('is possible in a transaction', async () => {
    const relations = { members: { add: ['zz-last'], remove: [idOf(late)] } };
    const operation = { operation: 'patch', type: 'Group', id: 'g', relations };
    const write = () =>
      catalog.ask('/v1/transactions', { method: 'POST', body: { operations: [operation] } });
    expect(await catalog.readUnits(write)).toBeLessThan(15);
    const expected = [...members.filter((id) => id !== idOf(late)), 'zz-last'];
    expect((await stored())['members']).toEqual(expected);
  });

  const countOf = async () =>
    (await catalog.table.get(entityKey({ type: 'Group', id: 'g' }), { consistent: true }))?.[
      'relationCount'
    ];

  it('counts all relations, and refuses more than 10,000', async () => {
    expect(await countOf()).toBe(count + 1);
    await patch({
      members: { add: ['zz-last'], remove: [idOf(late), idOf(1)] },
      owner: idOf(860),
    });
    await patch({ invited: { add: [idOf(late), 'zz-last'] } });
    expect(await countOf()).toBe(count + 2);
    await patch({ owner: null }, { attributes: { name: 'choir' } });
    expect(await countOf()).toBe(count + 1);
    const tooMany = Array.from({ length: 10_000 - count }, (__, index) => `x${index}`);
    const answer = await patch({ members: { add: tooMany } });
    expect(answer).toMatchObject({ status: 400 });
    expect(answer.body).toMatchObject({
      errors: [{ message: 'must be 10000 ids at most, in total' }],
    });
  });

  it('reads all relations once if the entity was written before relations were counted', async () => {
    const own = entityKey({ type: 'Group', id: 'g' });
    await catalog.table.update(own, { remove: ['relationCount'], onlyIf: present('pk') });
    const add = () => patch({ members: { add: ['zz-last'] } });
    expect(await catalog.readUnits(add)).toBeGreaterThan(20);
    expect(await countOf()).toBe(count + 2);
    expect((await stored())['members']).toEqual([...members, 'zz-last']);
    const remove = () => patch({ members: { remove: ['zz-last'] } });
    expect(await catalog.readUnits(remove)).toBeLessThan(15);
  });

  it('has the same cost when it detaches a deleted entity', async () => {
    await make(catalog, ['Person', 'zz-gone', {}]);
    await patch({ members: { add: ['zz-gone'] } });
    const detach = async () => {
      await catalog.ask(`${pathOf('Person', 'zz-gone')}?detach=true`, { method: 'DELETE' });
      await until('the relation to be detached', async () => (await countOf()) === count + 1);
    };
    expect(await catalog.readUnits(detach)).toBeLessThan(30);
    expect(await stored()).toEqual({ members, owner: [idOf(count - 1)] });
  });

  it('loses none of several concurrent changes', async () => {
    const parts = [idOf(10), idOf(860), idOf(899)].map((id) => ({ members: { remove: [id] } }));
    const more = ['zz-last', 'a-first'].map((id) => ({ invited: { add: [id] } }));
    const answers = await Promise.all([...parts, ...more].map((relations) => patch(relations)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const left = members.filter((id) => ![idOf(10), idOf(860), idOf(899)].includes(id));
    const invited = ['a-first', 'zz-last'];
    expect(await stored()).toEqual({ members: left, invited, owner: [idOf(count - 1)] });
  });
});
