import { openBeforeAll } from '@engawa/testing';
import { catalogOn } from './catalog.ts';
import { declare, make, pathOf, put, quiet } from './entities.ts';
import { Gate } from './gate.ts';
import { startTable } from './table.ts';
import type { TestResponse } from './catalog.ts';

const user = {
  attributes: [
    { name: 'e/mail', kind: 'text', unique: true },
    { name: 'badge', kind: 'number', unique: true },
    { name: 'born', kind: 'instant', unique: true },
    { name: 'name', kind: 'text' },
    { name: 'until', kind: 'instant' },
  ],
  relations: [{ name: 'friends', to: 'User', many: true }],
  expires: { attribute: 'until' },
};
const digits = '12345678901234567890.5';
const due = Date.parse('2030-01-01T00:00:00Z');

describe('GET /v1/unique/{type}/{attribute}', () => {
  const started = openBeforeAll(startTable);
  const gate = openBeforeAll(() => Gate.start(started.location.endpoint));
  const catalog = openBeforeAll(() =>
    catalogOn(started, { ...quiet, ...gate.environment }, { now: () => time }),
  );
  let time = Date.now();
  beforeAll(async () => {
    await declare(catalog, { User: user });
    const born = '2000-01-01T01:00:00+01:00';
    await make(
      catalog,
      ['User', 'anna', { attributes: { 'e/mail': 'anna@example.org', badge: 7, born } }],
      [
        'User',
        'ben',
        { attributes: { 'e/mail': '../a b?c=d&e#f%', until: '2030-01-01T00:00:00Z' } },
      ],
      ['User', 'name', { attributes: { 'e/mail': '\ufa19', name: 'anna@example.org' } }],
      ['User', 'empty', { attributes: { 'e/mail': '' }, relations: { friends: ['anna', 'ben'] } }],
    );
    const body = `{"attributes": {"badge": ${digits}}}`;
    await catalog.ask(pathOf('User', 'exact'), { method: 'PUT', body });
  });

  const find = (value: string, attribute = 'e/mail', rest = ''): Promise<TestResponse> => {
    const path = `/v1/unique/User/${encodeURIComponent(attribute)}`;
    return catalog.ask(`${path}?value=${encodeURIComponent(value)}${rest}`);
  };

  it.each([
    ['a text', 'anna@example.org', 'e/mail', 'anna'],
    ['a text with characters that are special in URLs', '../a b?c=d&e#f%', 'e/mail', 'ben'],
    ['a text in another normal form', '\u795e', 'e/mail', 'name'],
    ['an empty text', '', 'e/mail', 'empty'],
    ['a number', '7', 'badge', 'anna'],
    ['a number in another spelling', '70e-1', 'badge', 'anna'],
    ['a number of many digits', digits, 'badge', 'exact'],
    ['an instant', '2000-01-01T00:00:00Z', 'born', 'anna'],
    ['an instant with another offset', '1999-12-31T19:00:00-05:00', 'born', 'anna'],
    ['an instant in epoch milliseconds', String(Date.UTC(2000, 0)), 'born', 'anna'],
  ])('finds the entity by %s', async (_, value, attribute, id) => {
    expect(await find(value, attribute)).toMatchObject({ status: 200, body: { type: 'User', id } });
  });

  it.each([
    ['another value', 'none@example.org', 'e/mail'],
    ['a value that differs in case', 'Anna@example.org', 'e/mail'],
    ['another number', '12345678901234567890.6', 'badge'],
  ])('answers 404 for %s', async (_, value, attribute) => {
    expect(await find(value, attribute)).toMatchObject({
      status: 404,
      body: { type: '/problems/entity-not-found' },
    });
  });

  it.each([
    ['an attribute that is not unique', 'a', 'name', 'path.attribute'],
    ['an undeclared attribute', 'a', 'none', 'path.attribute'],
    ['a text for a number', 'seven', 'badge', 'query.value'],
    ['a text for an instant', 'today', 'born', 'query.value'],
    ['undeclared fields', 'a', 'e/mail', 'query.fields[0]', '&fields=none'],
  ])('refuses %s', async (_, value, attribute, path, rest = '') => {
    const answer = await find(value, attribute, rest);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  });

  it('sends two GetItem requests, or one where no entity has the value', async () => {
    gate.requests.length = 0;
    await find('anna@example.org');
    expect(gate.requests.map(({ operation }) => operation)).toEqual(['GetItem', 'GetItem']);
    expect(gate.requests.every(({ body }) => body.includes('"ConsistentRead":true'))).toBe(true);
    gate.requests.length = 0;
    await find('none');
    expect(gate.requests.map(({ operation }) => operation)).toEqual(['GetItem']);
  });

  it('returns what PUT accepts with its ETag, and keeps relations to many', async () => {
    const { body, headers } = await find('');
    expect(body).toMatchObject({ id: 'empty', attributes: { 'e/mail': '' }, relations: {} });
    const whole = await catalog.ask(pathOf('User', 'empty'));
    const match = { 'if-match': headers.get('etag') ?? '' };
    const content = body as Parameters<typeof put>[2];
    expect(await put(catalog, ['User', 'empty'], content, match)).toMatchObject({ status: 200 });
    expect(await catalog.ask(pathOf('User', 'empty'))).toMatchObject({ body: whole.body });
  });

  it('returns the requested fields with a weak ETag', async () => {
    const { body, headers } = await find('7', 'badge', '&fields=name&fields=e%2Fmail');
    expect(body).toMatchObject({ id: 'anna', attributes: { 'e/mail': 'anna@example.org' } });
    expect((body as { attributes: object }).attributes).not.toHaveProperty('badge');
    expect(headers.get('etag')).toMatch(/^W\//);
  });

  it('follows each write immediately', async () => {
    const patch = (value: string | null) =>
      catalog.ask(pathOf('User', 'cleo'), {
        method: 'PATCH',
        body: { attributes: { 'e/mail': value } },
      });
    await make(catalog, ['User', 'cleo', { attributes: { 'e/mail': 'old' } }]);
    expect(await find('old')).toMatchObject({ status: 200 });
    await patch('new');
    expect([await find('old'), await find('new')]).toMatchObject([
      { status: 404 },
      { status: 200 },
    ]);
    await patch(null);
    expect(await find('new')).toMatchObject({ status: 404 });
    await patch('last');
    await catalog.ask(pathOf('User', 'cleo'), { method: 'DELETE' });
    expect(await find('last')).toMatchObject({ status: 404 });
  });

  it('finds the new owner of a value that moves between the two requests', async () => {
    await make(catalog, ['User', 'd', { attributes: { 'e/mail': 'moves' } }], ['User', 'e', {}]);
    const held = gate.hold(({ operation, body }) => {
      return operation === 'GetItem' && body.includes('"E#User#d"');
    });
    const found = find('moves');
    await held.arrived;
    const patch = (id: string, value: string | null) => {
      return { operation: 'patch', type: 'User', id, attributes: { 'e/mail': value } };
    };
    const body = { operations: [patch('d', null), patch('e', 'moves')] };
    expect(await catalog.ask('/v1/transactions', { method: 'POST', body })).toMatchObject({
      status: 200,
    });
    held.release();
    expect(await found).toMatchObject({ status: 200, body: { id: 'e' } });
  });

  it('does not find an expired entity', async () => {
    expect(await find('../a b?c=d&e#f%')).toMatchObject({ status: 200 });
    time = due;
    expect(await find('../a b?c=d&e#f%')).toMatchObject({ status: 404 });
    expect(await find('../a b?c=d&e#f%', 'e/mail', '&fields=name')).toMatchObject({ status: 404 });
  });
});
