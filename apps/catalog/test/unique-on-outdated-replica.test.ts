import { catalogOn } from './catalog.ts';
import { declare, make, ownName, pathOf, put, quiet } from './entities.ts';
import { startTable } from './table.ts';
import { putType } from './types.ts';
import type { Catalog } from './catalog.ts';
import type { StartedTable } from './table.ts';

const name = { name: 'name', kind: 'text' };
const email = { name: 'email', kind: 'text', unique: true };

describe('a unique attribute that is unknown to an outdated replica', () => {
  let started: StartedTable;
  let current: Catalog;
  let outdated: Catalog;
  let User: string;
  beforeAll(async () => {
    started = await startTable();
    [current, outdated] = [await catalogOn(started, quiet), await catalogOn(started, quiet)];
  });
  afterAll(async () => {
    await Promise.all([current, outdated].map((catalog) => catalog.close()));
    await started.close();
  });
  beforeEach(async () => {
    User = ownName('User');
    const Team = ownName('Team');
    const team = { relations: [{ name: 'members', to: User, many: true }] };
    await declare(current, { [User]: { attributes: [name] }, [Team]: team });
    await make(outdated, [Team, 't', {}]);
    await make(outdated, [User, 'b', { attributes: { name: 'b' } }]);
    await putType(current, User, { attributes: [name, email] });
    await make(current, [User, 'a', { attributes: { name: 'a', email: 'e' } }]);
  });

  const ask = (method: string, body?: object) => outdated.ask(pathOf(User, 'a'), { method, body });

  it.each([
    ['deletes the entity', () => ask('DELETE')],
    ['replaces the entity without the attribute', () => ask('PUT', { attributes: { name: 'c' } })],
    [
      'deletes the entity in a transaction',
      () => {
        const operations = [{ operation: 'delete', type: User, id: 'a' }];
        return outdated.ask('/v1/transactions', { method: 'POST', body: { operations } });
      },
    ],
  ])('is released if the replica %s', async (_, release) => {
    expect((await release()).status).toBeLessThan(300);
    expect(await put(current, [User, 'b'], { attributes: { email: 'e' } })).toMatchObject({
      status: 200,
    });
  });

  it('is claimed if the replica writes the value to another entity', async () => {
    const answer = await put(outdated, [User, 'b'], { attributes: { email: 'e' } });
    expect(answer).toMatchObject({ status: 409, body: { type: '/problems/not-unique' } });
  });

  it('is kept if the replica changes another attribute', async () => {
    await ask('PATCH', { attributes: { name: 'c' } });
    const answer = await put(current, [User, 'b'], { attributes: { email: 'e' } });
    expect(answer).toMatchObject({ status: 409 });
  });
});
