import { catalogOn } from './catalog.ts';
import { declare, foundIn, make, pathOf, quiet } from './entities.ts';
import { problemOf } from './list-queries.ts';
import { startTable } from './table.ts';
import type { Catalog } from './catalog.ts';
import type { StartedTable } from './table.ts';

const counter = {
  attributes: [
    { name: 'count', kind: 'number' },
    { name: 'score', kind: 'number' },
    { name: 'marks', kind: 'set' },
    { name: 'options', kind: 'map' },
    { name: 'until', kind: 'instant' },
    { name: 'madeAt', kind: 'instant', automatic: 'created' },
  ],
  relations: [{ name: 'of', to: 'Counter', many: true }],
  rankings: [{ name: 'byScore', attribute: 'score' }],
  expires: { attribute: 'until' },
};
const user = {
  attributes: [
    { name: 'name', kind: 'text', required: true },
    { name: 'email', kind: 'text', unique: true },
    { name: 'logins', kind: 'number' },
  ],
  searches: [{ name: 'byName', parts: [{ attribute: 'name' }, { attribute: 'logins' }] }],
};

describe('PATCH with upsert', () => {
  let started: StartedTable;
  let catalogs: readonly [Catalog, Catalog];
  let now = Date.parse('2026-06-01T00:00:00Z');
  beforeAll(async () => {
    started = await startTable();
    const settings = { ...quiet, RATE_LIMIT_PER_MINUTE: '0' };
    const start = () => catalogOn(started, settings, { now: () => now });
    const first = await start();
    await declare(first, { Counter: counter, User: user });
    catalogs = [first, await start()];
  });
  afterAll(async () => {
    await Promise.all(catalogs.map((catalog) => catalog.close()));
    await started.close();
  });

  const patch = (type: string, id: string, body: object, at: 0 | 1 = 0) =>
    catalogs[at].ask(`${pathOf(type, id)}?upsert=true`, { method: 'PATCH', body });
  const transact = (...operations: object[]) =>
    catalogs[0].ask('/v1/transactions', { method: 'POST', body: { operations } });
  const patchOperation = (type: string, id: string, body: object) => ({
    ...{ operation: 'patch', type, id, upsert: true },
    ...body,
  });
  const add = (by: number) => ({ attributes: { count: { add: by }, score: { add: by } } });

  it('creates an entity from the changes, and then changes it', async () => {
    const body = {
      attributes: { count: { add: 5 }, marks: { append: ['a'], remove: ['b'] }, score: null },
      inside: { options: { '/visits': { add: 1 } } },
    };
    const created = { count: 5, marks: ['a'], options: { visits: 1 } };
    expect(await patch('Counter', 'a', body)).toMatchObject({
      status: 201,
      body: { version: 1, attributes: created },
    });
    expect(await patch('Counter', 'a', add(2))).toMatchObject({
      status: 200,
      body: { version: 2, attributes: { ...created, count: 7, score: 2 } },
    });
    expect(await foundIn(started.table, 'Counter', 'byScore')).toEqual(['a']);
    const missing = await catalogs[0].ask(pathOf('Counter', 'nobody'), {
      method: 'PATCH',
      body: add(1),
    });
    expect(missing.status).toBe(404);
  });

  it('takes one request for an existing counter, and three to create one', async () => {
    const cost = (id: string) =>
      catalogs[0].costOf(() => patch('Counter', id, { attributes: { count: { add: 1 } } }));
    expect(await cost('b')).toEqual({ UpdateItem: 1, Query: 1, TransactWriteItems: 1 });
    expect(await cost('b')).toEqual({ UpdateItem: 1 });
  });

  it.each([0, 1])('counts exactly among concurrent creators (attempt %i)', async (attempt) => {
    const id = `exact${attempt}`;
    const sent = Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? 0 : 1));
    const answers = await Promise.all(sent.map((at) => patch('Counter', id, add(1), at)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(59);
    expect((await catalogs[0].ask(pathOf('Counter', id))).body).toMatchObject({
      version: 60,
      attributes: { count: 60, score: 60 },
    });
  });

  it('counts exactly in transactions, with other increments', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0
          ? transact(patchOperation('Counter', 'together', add(1)))
          : patch('Counter', 'together', add(1), 1),
      ),
    );
    expect(answers.map(({ status }) => status).filter((status) => status >= 300)).toEqual([]);
    expect((await catalogs[0].ask(pathOf('Counter', 'together'))).body).toMatchObject({
      attributes: { count: 20, score: 20 },
    });
  });

  it('requires attributes, unique values and conditions like a creation', async () => {
    await make(catalogs[0], ['User', 'anna', { attributes: { name: 'Anna', email: 'a@x' } }]);
    const logins = { add: 1 };
    const cases: [object, number, string][] = [
      [{ attributes: { logins } }, 400, 'attributes.name'],
      [{ attributes: { name: 'B', email: 'a@x' } }, 409, 'attributes.email'],
      [
        { attributes: { name: 'B' }, conditions: { logins: { atLeast: 1 } } },
        409,
        'conditions.logins.atLeast',
      ],
      [{ attributes: { name: 7 } }, 400, 'attributes.name'],
    ];
    for (const [body, status, field] of cases) {
      expect(problemOf(await patch('User', 'ben', body))).toMatchObject({
        status,
        paths: [`body.${field}`],
      });
      expect(problemOf(await transact(patchOperation('User', 'ben', body)))).toMatchObject({
        status,
        paths: [`body.operations[0].${field}`],
      });
    }
    const body = {
      attributes: { name: 'Ben', email: 'b@x', logins },
      conditions: { logins: { exists: false } },
    };
    expect(await patch('User', 'ben', body)).toMatchObject({ status: 201 });
    expect(await foundIn(started.table, 'User', 'byName')).toEqual(['ben']);
    expect((await patch('User', 'ben', body)).status).toBe(409);
  });

  it('creates related entities in one transaction, and is refused with ifMatch', async () => {
    const relations = { of: { add: ['target'] } };
    const answer = await transact(
      patchOperation('Counter', 'source', { ...add(1), relations }),
      patchOperation('Counter', 'target', add(1)),
    );
    expect(answer).toMatchObject({
      status: 200,
      body: { items: [{}, { entity: { version: 1 } }] },
    });
    expect((await catalogs[0].ask(pathOf('Counter', 'source'))).body).toMatchObject({
      relations: { of: ['target'] },
    });
    const etag = (answer.body as { items: { etag: string }[] }).items[0]?.etag ?? '';
    for (const ifMatch of [etag, '*']) {
      const both = await catalogs[0].ask(`${pathOf('Counter', 'source')}?upsert=true`, {
        ...{ method: 'PATCH', body: add(1), headers: { 'if-match': ifMatch } },
      });
      expect(problemOf(both)).toMatchObject({ status: 400, paths: ['query.upsert'] });
    }
    const operation = { ...patchOperation('Counter', 'source', add(1)), ifMatch: etag };
    expect(await transact(operation)).toMatchObject({ status: 400 });
  });

  it('creates an entity after a deletion and after its expiry', async () => {
    await patch('Counter', 'again', add(3));
    await catalogs[0].ask(pathOf('Counter', 'again'), { method: 'DELETE' });
    expect(await patch('Counter', 'again', add(1))).toMatchObject({
      status: 201,
      body: { version: 1, attributes: { count: 1 } },
    });
    for (const write of [
      () => patch('Counter', 'brief', add(2)),
      () => transact(patchOperation('Counter', 'brief', add(2))),
    ]) {
      const until = new Date(now + 1000).toISOString();
      await make(catalogs[0], ['Counter', 'brief', { attributes: { count: 9, until } }]);
      now += 2000;
      expect((await write()).status).toBeLessThan(202);
      const { attributes } = (await catalogs[0].ask(pathOf('Counter', 'brief'))).body as {
        attributes: object;
      };
      expect(attributes).toMatchObject({ count: 2 });
      expect(attributes).not.toHaveProperty('until');
    }
  });
});
