import { openBeforeAll } from '@engawa/testing';
import { declare, make, pathOf } from './entities.ts';
import { decides, isTransaction } from './gate.ts';
import { problemOf } from './list-queries.ts';
import { ids, medley, startTwoReplicas } from './two-replicas.ts';
import type { ProxiedRequest } from '@engawa/testing';
import type { TestResponse, Catalog } from './catalog.ts';

const ticket = {
  attributes: [
    { name: 'state', kind: 'text' },
    { name: 'seats', kind: 'number' },
    { name: 'tags', kind: 'set' },
  ],
};

describe('a conditional deletion of an entity', () => {
  const replicas = openBeforeAll(startTwoReplicas);
  let quick: Catalog;
  let slow: Catalog;
  beforeAll(async () => {
    ({ quick, slow } = replicas);
    await declare(quick, { Ticket: ticket });
  });
  beforeEach(() => {
    const attributes = { state: 'open', seats: 2, tags: ['vip'] };
    return make(quick, ['Ticket', 't', { attributes }]);
  });

  function remove(
    catalog: Catalog,
    [type, id]: [string, string],
    given: string,
  ): Promise<TestResponse> {
    const query = `?conditions=${encodeURIComponent(given)}`;
    return catalog.ask(pathOf(type, id) + query, { method: 'DELETE' });
  }

  const removeTicket = (conditions: object, catalog = quick) =>
    remove(catalog, ['Ticket', 't'], JSON.stringify(conditions));
  const patch = async (type: string, id: string, attributes: object) =>
    expect(
      await quick.ask(pathOf(type, id), { method: 'PATCH', body: { attributes } }),
    ).toMatchObject({ status: 200 });
  const statusOf = async (type: string, id: string) => (await quick.ask(pathOf(type, id))).status;

  /** Runs `change` between the read and the write of a request. */
  async function changedBetween(
    begin: () => Promise<TestResponse>,
    change: () => Promise<unknown>,
    matches: (request: ProxiedRequest) => boolean = isTransaction,
  ): Promise<TestResponse> {
    const held = replicas.gate.hold(matches);
    const answer = begin();
    await held.arrived;
    await change();
    held.release();
    return answer;
  }

  it.each<[object, string, boolean]>([
    [{ state: { equals: 'open' } }, '', true],
    [{ state: { equals: 'sold' } }, 'state.equals', false],
    [{ seats: { atLeast: 2, atMost: 2 }, tags: { contains: 'vip' } }, '', true],
    [{ seats: { atMost: 1 } }, 'seats.atMost', false],
    [{ tags: { contains: 'x' } }, 'tags.contains', false],
    [{ state: { exists: false } }, 'state.exists', false],
  ])('succeeds only if its conditions are met: %j', async (conditions, path, holds) => {
    const answer = await removeTicket(conditions);
    if (holds) expect(answer.status).toBe(204);
    else {
      expect(problemOf(answer)).toMatchObject({
        ...{ status: 409, type: 'condition-failed' },
        paths: [`query.conditions.${path}`],
      });
    }
    expect(await statusOf('Ticket', 't')).toBe(holds ? 404 : 200);
  });

  it('compares all digits of a number', async () => {
    const digits = '12345678901234567890123456789012345678';
    const body = `{"attributes": {"seats": ${digits}}}`;
    const headers = { 'content-type': 'application/json' };
    await quick.ask(pathOf('Ticket', 't'), { method: 'PUT', body, headers });
    const other = `${digits.slice(0, -1)}9`;
    const equals = (number: string) => `{"seats": {"equals": ${number}}}`;
    expect((await remove(quick, ['Ticket', 't'], equals(other))).status).toBe(409);
    expect((await remove(quick, ['Ticket', 't'], equals(digits))).status).toBe(204);
  });

  it.each([
    ['{', 'query.conditions'],
    ['[]', 'query.conditions'],
    ['{"colour": {"exists": true}}', 'query.conditions.colour'],
    ['{"state": {"above": 1}}', 'query.conditions.state'],
  ])('is refused with an invalid condition: %s', async (given, path) => {
    const answer = await remove(quick, ['Ticket', 't'], given);
    expect(problemOf(answer)).toMatchObject({ status: 400, paths: [path] });
    expect(await statusOf('Ticket', 't')).toBe(200);
  });

  it('is refused if a concurrent write makes a condition false', async () => {
    const answer = await changedBetween(
      () => removeTicket({ state: { equals: 'open' } }, slow),
      () => patch('Ticket', 't', { state: 'sold' }),
    );
    expect(answer).toMatchObject({
      status: 409,
      body: { errors: [{ message: 'is not met: the attribute is "sold"' }] },
    });
    expect(await statusOf('Ticket', 't')).toBe(200);
  });

  it('succeeds after a concurrent write if the conditions are still met', async () => {
    const answer = await changedBetween(
      () => removeTicket({ state: { equals: 'open' } }, slow),
      () => patch('Ticket', 't', { seats: 1 }),
    );
    expect(answer.status).toBe(204);
    expect(await statusOf('Ticket', 't')).toBe(404);
  });

  it('is refused after a conflicting write if the entity needs a staged write, and keeps all relations', async () => {
    const attributes = { title: 'm', plays: 1 };
    await make(quick, ['Track', 'm', { ...medley('m', ids), attributes }]);
    const answer = await changedBetween(
      () => remove(slow, ['Track', 'm'], '{"plays": {"atMost": 1}}'),
      () => patch('Track', 'm', { plays: { add: 1 } }),
      decides,
    );
    expect(problemOf(answer)).toMatchObject({ status: 409 });
    expect(await replicas.featuring('m')).toEqual(ids);
  });

  it('evaluates conditions by the current attribute names during a rename', async () => {
    const [, ...others] = ticket.attributes;
    const status = { name: 'status', kind: 'text', renamedFrom: 'state' };
    await declare(quick, { Ticket: { attributes: [status, ...others] } });
    expect((await removeTicket({ status: { equals: 'sold' } }, slow)).status).toBe(409);
    expect((await removeTicket({ state: { equals: 'open' } })).status).toBe(400);
    expect((await removeTicket({ status: { equals: 'open' } })).status).toBe(204);
  });
});
