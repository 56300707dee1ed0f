import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declare, make, ownName, pathOf, put } from './entities.ts';
import { getType, putType, untilBuilt } from './types.ts';

const name = { name: 'name', kind: 'text' };
const plain = { name: 'email', kind: 'text' };
const email = { ...plain, unique: true };

describe('a type with unique attributes', () => {
  const catalog = openBeforeAll(() =>
    startCatalog({ TYPE_SETTLE_MS: '0', TASK_REFRESH_MS: '100' }),
  );
  let User: string;
  beforeEach(() => (User = ownName('User')));

  const declared = (...attributes: object[]) => putType(catalog, User, { attributes });
  const refused = (path: string, message: RegExp) => ({
    status: 409,
    body: {
      type: '/problems/type-in-use',
      errors: expect.arrayContaining([
        { path, message: expect.stringMatching(message) as string },
      ]) as unknown,
    },
  });

  it('is returned as unique, and unchanged when sent back', async () => {
    await declare(catalog, { [User]: { attributes: [name, email] } });
    const shown = await getType(catalog, User);
    expect(shown).toMatchObject({ attributes: [name, email] });
    expect(shown).not.toHaveProperty('attributes.0.unique');
    expect(await declared(name, email)).toMatchObject({ status: 200, body: { version: 1 } });
  });

  it('cannot add or remove unique on existing attributes while it has entities', async () => {
    await declare(catalog, { [User]: { attributes: [name, email] } });
    await make(catalog, [User, 'a', { attributes: { name: 'n', email: 'e' } }]);
    const lost = refused('body.attributes', /must keep the unique text "email" unchanged/);
    expect(await declared(name, plain)).toMatchObject(lost);
    expect(await declared(name, { ...email, name: 'mail', renamedFrom: 'email' })).toMatchObject(
      lost,
    );
    expect(await declared(name, { ...email, kind: 'number', convert: true })).toMatchObject(lost);
    const removed = { attributes: [name], removed: ['email'] };
    expect(await putType(catalog, User, removed)).toMatchObject(lost);
    const claimed = refused('body.attributes[0].unique', /must not become true/);
    expect(await declared({ ...name, unique: true }, email)).toMatchObject(claimed);
    const renamed = { name: 'called', kind: 'text', unique: true, renamedFrom: 'name' };
    expect(await declared(renamed, email)).toMatchObject(claimed);
    expect(await put(catalog, [User, 'b'], { attributes: { email: 'e' } })).toMatchObject({
      status: 409,
    });
  });

  it('can change all unique attributes without entities', async () => {
    await declare(catalog, { [User]: { attributes: [name, email] } });
    await make(catalog, [User, 'a', { attributes: { email: 'e' } }]);
    await catalog.ask(pathOf(User, 'a'), { method: 'DELETE' });
    expect(await declared({ ...name, unique: true }, plain)).toMatchObject({ status: 200 });
    await make(
      catalog,
      [User, 'a', { attributes: { email: 'e', name: 'a' } }],
      [User, 'b', { attributes: { email: 'e', name: 'b' } }],
    );
    expect(await put(catalog, [User, 'c'], { attributes: { name: 'b' } })).toMatchObject({
      status: 409,
    });
  });

  it('can add a new unique attribute while it has entities', async () => {
    await declare(catalog, {
      [User]: {
        attributes: [name],
        searches: [{ name: 'byName', parts: [{ attribute: 'name' }] }],
      },
    });
    await make(catalog, [User, 'a', { attributes: { name: 'n' } }]);
    const searches = [{ name: 'byName', parts: [{ attribute: 'name' }] }];
    expect(await putType(catalog, User, { attributes: [name, email], searches })).toMatchObject({
      status: 200,
    });
    await untilBuilt(catalog, User);
    const patch = (id: string) =>
      catalog.ask(pathOf(User, id), { method: 'PATCH', body: { attributes: { email: 'e' } } });
    expect(await patch('a')).toMatchObject({ status: 200 });
    expect(await put(catalog, [User, 'b'], { attributes: { email: 'e' } })).toMatchObject({
      status: 409,
    });
    await catalog.ask(pathOf(User, 'a'), { method: 'DELETE' });
    expect(await put(catalog, [User, 'b'], { attributes: { email: 'e' } })).toMatchObject({
      status: 201,
    });
  });

  it('cannot add a unique attribute to an open type', async () => {
    const open = { attributes: [name], additional: true };
    await declare(catalog, { [User]: open });
    await make(catalog, [User, 'a', { attributes: { email: 'e' } }]);
    const answer = await putType(catalog, User, { ...open, attributes: [name, email] });
    expect(answer).toMatchObject(refused('body.attributes[1].unique', /must not become true/));
  });
});
