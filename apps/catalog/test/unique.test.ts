import { uniqueValueKey } from '@engawa/keys';
import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declare, make, pathOf, put, quiet } from './entities.ts';
import type { TestResponse } from './catalog.ts';

const user = {
  attributes: [
    { name: 'email', kind: 'text', unique: true },
    { name: 'badge', kind: 'number', unique: true },
    { name: 'born', kind: 'instant', unique: true },
    { name: 'name', kind: 'text' },
  ],
};
const other = { attributes: [{ name: 'email', kind: 'text', unique: true }] };

function refusal(attribute: string, owner: string, type = 'User') {
  const path = `body.attributes.${attribute}`;
  const message = `must be unique among entities of type ${type}: "${owner}" has this value`;
  return {
    status: 409,
    body: {
      type: '/problems/not-unique',
      detail: `${path} ${message}.`,
      errors: [{ path, message }],
    },
  };
}

describe('a unique attribute', () => {
  const catalog = openBeforeAll(() => startCatalog({ ...quiet, RATE_LIMIT_PER_MINUTE: '0' }));
  let count = 0;
  let [a, b, mail] = ['', '', ''];
  beforeAll(() => declare(catalog, { User: user, Other: other }));
  beforeEach(() => {
    count++;
    [a, b, mail] = [`a${count}`, `b${count}`, `${count}@example.org`];
  });

  const set = (id: string, attributes: object) =>
    put(catalog, ['User', id], { attributes: attributes as Record<string, unknown> });
  const patch = (id: string, attributes: object): Promise<TestResponse> =>
    catalog.ask(pathOf('User', id), { method: 'PATCH', body: { attributes } });
  const remove = (id: string) => catalog.ask(pathOf('User', id), { method: 'DELETE' });
  const ownerOf = async (value: string, attribute = 'email') => {
    const key = uniqueValueKey({ type: 'User', attribute, value });
    return (await catalog.table.get(key, { consistent: true }))?.['owner'];
  };

  it('has each value in at most one entity of its type', async () => {
    expect(await set(a, { email: mail })).toMatchObject({ status: 201 });
    expect(await set(b, { email: mail })).toMatchObject(refusal('email', a));
    expect(await catalog.ask(pathOf('User', b))).toMatchObject({ status: 404 });
    expect(await set(b, { email: mail.toUpperCase() })).toMatchObject({ status: 201 });
    expect(await patch(b, { email: mail })).toMatchObject(refusal('email', a));
    expect(await put(catalog, ['Other', b], { attributes: { email: mail } })).toMatchObject({
      status: 201,
    });
  });

  it('may be absent in any number of entities', async () => {
    await make(
      catalog,
      ['User', a, { attributes: { name: 'same' } }],
      ['User', b, { attributes: { name: 'same' } }],
    );
    expect(await patch(a, { email: mail })).toMatchObject({ status: 200 });
    expect(await patch(a, { email: null })).toMatchObject({ status: 200 });
    expect(await ownerOf(mail)).toBeUndefined();
    expect(await patch(b, { email: mail })).toMatchObject({ status: 200 });
  });

  it('can be written again by its owner', async () => {
    await set(a, { email: mail });
    expect(await set(a, { email: mail })).toMatchObject({ status: 200 });
    expect(await set(a, { email: mail, name: 'new' })).toMatchObject({ status: 200 });
    expect(await patch(a, { email: mail, name: 'newer' })).toMatchObject({ status: 200 });
    const headers = { 'if-none-match': '*' };
    const again = await put(catalog, ['User', a], { attributes: { email: mail } }, headers);
    expect(again).toMatchObject({ body: { type: '/problems/already-exists' } });
    expect(await ownerOf(mail)).toBe(a);
  });

  it.each([
    ['changed by PUT', () => set(a, { email: `new-${mail}` })],
    ['changed by PATCH', () => patch(a, { email: `new-${mail}` })],
    ['omitted by PUT', () => set(a, { name: 'no email' })],
    ['removed by PATCH', () => patch(a, { email: null })],
    ['deleted with its entity', () => remove(a)],
  ])('is free after it is %s', async (_, release) => {
    await set(a, { email: mail });
    expect((await release()).status).toBeLessThan(300);
    expect(await ownerOf(mail)).toBeUndefined();
    expect(await set(b, { email: mail })).toMatchObject({ status: 201 });
    expect(await ownerOf(mail)).toBe(b);
  });

  it('can be claimed again by a recreated entity', async () => {
    await set(a, { email: mail });
    await remove(a);
    expect(await set(a, { email: mail })).toMatchObject({ status: 201 });
    expect(await set(b, { email: mail })).toMatchObject(refusal('email', a));
  });

  it('compares numbers and instants by value', async () => {
    const digits = `12345678901234567890.${count}5`;
    await set(a, { born: '2000-01-01T01:00:00+01:00', badge: count });
    await patch(a, { badge: 1000 + count });
    expect(await ownerOf(String(1000 + count), 'badge')).toBe(a);
    expect(await set(b, { born: Date.parse('2000-01-01T00:00:00Z') })).toMatchObject(
      refusal('born', a),
    );
    const raw = (text: string) =>
      catalog.ask(pathOf('User', b), { method: 'PUT', body: `{"attributes":{"badge":${text}}}` });
    expect(await raw(`${1000 + count}.0`)).toMatchObject(refusal('badge', a));
    expect(await raw(`${1000 + count}0e-1`)).toMatchObject(refusal('badge', a));
    expect(await raw(digits)).toMatchObject({ status: 201 });
    expect(await ownerOf(digits, 'badge')).toBe(b);
  });

  it('is claimed by an addition', async () => {
    await set(a, { badge: 2000 + count });
    await set(b, { badge: 1999.5 + count });
    expect(await patch(b, { badge: { add: 0.5 } })).toMatchObject(refusal('badge', a));
    expect(await patch(b, { badge: { add: -0.5 } })).toMatchObject({ status: 200 });
    expect(await ownerOf(String(1999 + count), 'badge')).toBe(b);
    expect(await ownerOf(String(1999.5 + count), 'badge')).toBeUndefined();
  });

  it('has at most 1,024 bytes', async () => {
    expect(await set(a, { email: 'e'.repeat(1024) })).toMatchObject({ status: 201 });
    expect(await set(b, { email: 'e'.repeat(1025) })).toMatchObject({
      status: 400,
      body: {
        errors: [
          { path: 'body.attributes.email', message: expect.stringContaining('1024') as string },
        ],
      },
    });
  });

  it.each(['keep', 'replace'])(
    'refuses single entries of a bulk request, with existing=%s',
    async (existing) => {
      await set(a, { email: mail });
      const entry = (id: string, attributes: object) => ({ type: 'User', id, attributes });
      const body = [entry(b, { email: mail }), entry(a, { email: mail }), entry(`c${count}`, {})];
      const path = `/v1/entities?existing=${existing}`;
      const there = existing === 'keep' ? { existing: 1 } : { unchanged: 1 };
      expect(await catalog.ask(path, { method: 'POST', body })).toMatchObject({
        status: 200,
        body: {
          entities: { created: 1, ...there },
          failed: 1,
          errors: [
            {
              line: 1,
              message: `attributes.email: must be unique among entities of type User: "${a}" has this value`,
            },
          ],
        },
      });
    },
  );

  it('needs no additional requests', async () => {
    expect(await catalog.costOf(() => set(a, { email: mail, name: 'n' }))).toEqual({
      Query: 1,
      TransactWriteItems: 1,
    });
    const body = [{ type: 'User', id: b, attributes: { email: mail } }];
    const refused = () => catalog.ask('/v1/entities', { method: 'POST', body });
    expect(await catalog.costOf(refused)).toEqual({ TransactWriteItems: 1 });
    expect(await catalog.costOf(() => patch(a, { name: 'other' }))).toEqual({ UpdateItem: 1 });
  });
});
