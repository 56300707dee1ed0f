import { catalogOn } from './catalog.ts';
import { declare, make, pathOf, put, quiet } from './entities.ts';
import { startTable } from './table.ts';
import { putType } from './types.ts';
import type { Catalog } from './catalog.ts';
import type { StartedTable } from './table.ts';

const name = { name: 'name', kind: 'text' };
const email = { name: 'email', kind: 'text', unique: true };

describe('a unique attribute that a replica does not know of yet', () => {
  let started: StartedTable;
  let knowing: Catalog;
  let unknowing: Catalog;
  beforeEach(async () => {
    started = await startTable();
    [knowing, unknowing] = [await catalogOn(started, quiet), await catalogOn(started, quiet)];
    const team = { relations: [{ name: 'members', to: 'User', many: true }] };
    await declare(knowing, { User: { attributes: [name] }, Team: team });
    await make(unknowing, ['Team', 't', {}]);
    await make(unknowing, ['User', 'b', { attributes: { name: 'b' } }]);
    await putType(knowing, 'User', { attributes: [name, email] });
    await make(knowing, ['User', 'a', { attributes: { name: 'a', email: 'e' } }]);
  });
  afterEach(async () => {
    await Promise.all([knowing, unknowing].map((catalog) => catalog.close()));
    await started.close();
  });

  const ask = (method: string, body?: object) =>
    unknowing.ask(pathOf('User', 'a'), { method, body });

  it.each([
    ['deletes the entity', () => ask('DELETE')],
    ['puts the entity without it', () => ask('PUT', { attributes: { name: 'c' } })],
    [
      'deletes it in a transaction',
      () => {
        const operations = [{ operation: 'delete', type: 'User', id: 'a' }];
        return unknowing.ask('/v1/transactions', { method: 'POST', body: { operations } });
      },
    ],
  ])('is released where it %s', async (_, release) => {
    expect((await release()).status).toBeLessThan(300);
    expect(await put(knowing, ['User', 'b'], { attributes: { email: 'e' } })).toMatchObject({
      status: 200,
    });
  });

  it('is claimed where it gives another entity the value', async () => {
    const answer = await put(unknowing, ['User', 'b'], { attributes: { email: 'e' } });
    expect(answer).toMatchObject({ status: 409, body: { type: '/problems/not-unique' } });
  });

  it('stays where it changes something else', async () => {
    await ask('PATCH', { attributes: { name: 'c' } });
    const answer = await put(knowing, ['User', 'b'], { attributes: { email: 'e' } });
    expect(answer).toMatchObject({ status: 409 });
  });
});
