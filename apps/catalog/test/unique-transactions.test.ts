import { uniqueValueKey } from '@engawa/keys';
import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declare, make, pathOf, quiet } from './entities.ts';

const user = {
  attributes: [
    { name: 'email', kind: 'text', unique: true },
    { name: 'name', kind: 'text' },
  ],
};

describe('unique attributes in a transaction over several entities', () => {
  const catalog = openBeforeAll(() => startCatalog({ ...quiet, RATE_LIMIT_PER_MINUTE: '0' }));
  let count = 0;
  let [a, b, first, second] = ['', '', '', ''];
  beforeAll(() => declare(catalog, { User: user }));
  beforeEach(async () => {
    count++;
    [a, b, first, second] = [`a${count}`, `b${count}`, `1-${count}`, `2-${count}`];
    await make(
      catalog,
      ['User', a, { attributes: { email: first } }],
      ['User', b, { attributes: { email: second } }],
    );
  });

  const write = (...operations: object[]) =>
    catalog.ask('/v1/transactions', { method: 'POST', body: { operations } });
  const change = (id: string, email: string | null) => {
    return { operation: 'patch', type: 'User', id, attributes: { email } };
  };
  const create = (id: string, email: string) => {
    return { operation: 'put', type: 'User', id, attributes: { email } };
  };
  const remove = (id: string) => ({ operation: 'delete', type: 'User', id });
  const owners = async () => {
    const items = await Promise.all(
      [first, second].map((value) =>
        catalog.table.get(uniqueValueKey({ type: 'User', attribute: 'email', value }), {
          consistent: true,
        }),
      ),
    );
    return items.map((item) => item?.['owner']);
  };

  it('can move from one entity to another, or be exchanged', async () => {
    expect(await write(change(a, null), create(`c${count}`, first))).toMatchObject({ status: 200 });
    expect(await owners()).toEqual([`c${count}`, b]);
    expect(await write(change(`c${count}`, second), change(b, first))).toMatchObject({
      status: 200,
    });
    expect(await owners()).toEqual([b, `c${count}`]);
    expect(await write(create(`d${count}`, first), remove(b))).toMatchObject({ status: 200 });
    expect(await owners()).toEqual([`d${count}`, `c${count}`]);
  });

  it('are refused if another entity has the value, and nothing is written', async () => {
    const answer = await write(change(b, null), create(`c${count}`, first));
    const path = 'body.operations[1].attributes.email';
    expect(answer).toMatchObject({
      status: 409,
      body: {
        type: '/problems/not-unique',
        errors: [{ path, message: expect.stringContaining(`"${a}"`) as string }],
      },
    });
    expect(await owners()).toEqual([a, b]);
    expect(await catalog.ask(pathOf('User', `c${count}`))).toMatchObject({ status: 404 });
  });

  it('are refused if two operations have the same value', async () => {
    const [c, d] = [`c${count}`, `d${count}`];
    expect(await write(create(c, `3-${count}`), create(d, `3-${count}`))).toMatchObject({
      status: 409,
      body: {
        errors: [
          {
            path: 'body.operations[1].attributes.email',
            message: expect.stringContaining(`"${c}"`) as string,
          },
        ],
      },
    });
    expect(await write(create(c, first), change(a, `4-${count}`), create(d, first))).toMatchObject({
      status: 409,
    });
    expect(await owners()).toEqual([a, b]);
  });

  it('are released by a deletion', async () => {
    expect(await write(remove(a), remove(b))).toMatchObject({ status: 200 });
    expect(await owners()).toEqual([undefined, undefined]);
  });
});
