import { uniqueValueKey } from '@engawa/keys';
import { openBeforeAll } from '@engawa/testing';
import { declare, itemsOf, make, pathOf, put } from './entities.ts';
import { decides } from './gate.ts';
import { ids, startTwoReplicas } from './two-replicas.ts';

const album = {
  attributes: [
    { name: 'code', kind: 'text', unique: true },
    { name: 'plays', kind: 'number' },
  ],
  relations: [{ name: 'featuring', to: 'Artist', many: true }],
  rankings: [{ name: 'byPlays', attribute: 'plays' }],
};
const notUnique = { status: 409, body: { type: '/problems/not-unique' } };

describe('a unique attribute of an entity with more rows than one transaction', () => {
  const replicas = openBeforeAll(startTwoReplicas);
  let count = 0;
  let [a, b, code] = ['', '', ''];
  beforeAll(() => declare(replicas.quick, { Album: album }));
  beforeEach(() => {
    count++;
    [a, b, code] = [`a${count}`, `b${count}`, `code ${count}`];
  });

  const staged = (code: string) => ({ attributes: { code }, relations: { featuring: ids } });
  const ownerOf = async (value: string) => {
    const key = uniqueValueKey({ type: 'Album', attribute: 'code', value });
    return (await replicas.started.table.get(key, { consistent: true }))?.['owner'];
  };

  it('is claimed, or the write is refused without leftovers', async () => {
    const { quick, started } = replicas;
    expect(await put(quick, ['Album', a], staged(code))).toMatchObject({ status: 201 });
    expect(await put(quick, ['Album', b], staged(code))).toMatchObject(notUnique);
    expect(await itemsOf(started.table, 'Album', b)).toEqual([]);
    expect(await put(quick, ['Album', b], { attributes: { code } })).toMatchObject(notUnique);
    expect(await put(quick, ['Album', b], staged(`${code}b`))).toMatchObject({ status: 201 });
    expect([await ownerOf(code), await ownerOf(`${code}b`)]).toEqual([a, b]);
  });

  it('is released by a replacement and by a deletion', async () => {
    const { quick } = replicas;
    await make(quick, ['Album', a, { attributes: { code } }]);
    expect(await put(quick, ['Album', a], staged(`${code}b`))).toMatchObject({ status: 200 });
    expect([await ownerOf(code), await ownerOf(`${code}b`)]).toEqual([undefined, a]);
    const removed = await quick.ask(pathOf('Album', a), { method: 'DELETE' });
    expect(removed).toMatchObject({ status: 204 });
    expect(await ownerOf(`${code}b`)).toBeUndefined();
  });

  it('belongs to the write that commits first', async () => {
    const { quick, slow, gate, started } = replicas;
    await make(quick, ['Album', a, { attributes: { code: `${code}a` } }]);
    const held = gate.hold(decides);
    const first = put(slow, ['Album', a], staged(code));
    await held.arrived;
    expect(await put(quick, ['Album', b], { attributes: { code } })).toMatchObject({ status: 201 });
    held.release();
    expect(await first).toMatchObject(notUnique);
    expect([await ownerOf(code), await ownerOf(`${code}a`)]).toEqual([b, a]);
    const text = JSON.stringify(await itemsOf(started.table, 'Album', a));
    expect(text).not.toMatch(/staged|staging|settles|featuring/);
  });

  it('is claimed despite a concurrent score', async () => {
    const { quick, slow, gate } = replicas;
    await make(quick, ['Album', a, { attributes: { code: `${code}a`, plays: 1 } }]);
    const held = gate.hold(decides);
    const body = { attributes: { code }, relations: { featuring: { add: ids } } };
    const first = slow.ask(pathOf('Album', a), { method: 'PATCH', body });
    await held.arrived;
    const score = { attributes: { plays: { add: 1 } } };
    await quick.ask(pathOf('Album', a), { method: 'PATCH', body: score });
    held.release();
    expect(await first).toMatchObject({ status: 200, body: { attributes: { code, plays: 2 } } });
    expect([await ownerOf(code), await ownerOf(`${code}a`)]).toEqual([a, undefined]);
  });
});
