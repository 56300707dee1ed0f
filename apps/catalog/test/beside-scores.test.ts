import { make, pathOf, put } from './entities.ts';
import { decides, isTransaction } from './gate.ts';
import { ids, medley, startTwoReplicas } from './two-replicas.ts';
import type { Answer } from './catalog.ts';
import type { TableRequest } from './gate.ts';
import type { TwoReplicas } from './two-replicas.ts';

/** Of a staged write: what it stages, and its decision. */
const isStep = (request: TableRequest) =>
  (isTransaction(request) && request.body.includes('"staged"')) || decides(request);

describe('a write of many relations beside scores of the same entity', () => {
  let replicas: TwoReplicas;
  let score: number;
  let id = '';
  let count = 0;
  beforeAll(async () => {
    replicas = await startTwoReplicas();
  });
  afterAll(() => replicas.close());
  beforeEach(async () => {
    score = 0;
    id = `t${count++}`;
    await make(replicas.quick, ['Track', id, { attributes: { title: 't', plays: 0 } }]);
  });

  async function countUp(): Promise<void> {
    score += 1;
    const body = { attributes: { plays: score } };
    const answer = await replicas.quick.ask(pathOf('Track', id), { method: 'PATCH', body });
    expect(answer).toMatchObject({ status: 200 });
  }

  /** Counts up before each step of the write, as long as there are that many. */
  async function besideScores(write: () => Promise<Answer>, most = 12): Promise<Answer> {
    const written = write();
    const answered = written.then(() => false);
    while (score < most) {
      const held = replicas.gate.hold(isStep);
      const isHeld = await Promise.race([held.arrived.then(() => true), answered]);
      if (isHeld) await countUp();
      held.release();
      if (!isHeld) break;
    }
    return written;
  }

  const patch = () =>
    replicas.slow.ask(pathOf('Track', id), {
      method: 'PATCH',
      body: { relations: { featuring: { add: ids } } },
    });

  it('takes place, and loses none of them', async () => {
    expect(await besideScores(patch)).toMatchObject({ status: 200 });
    expect(score).toBe(12);
    const { body } = await replicas.quick.ask(pathOf('Track', id));
    expect(body).toMatchObject({ attributes: { title: 't', plays: 12 }, version: 14 });
    expect(await replicas.featuring(id)).toEqual(ids);
    const top = await replicas.quick.ask('/v1/rankings/Track/byPlays');
    expect(top).toMatchObject({ body: { items: [{ id, value: 12 }] } });
  });

  it('is refused with If-Match of the earlier version', async () => {
    const { headers } = await replicas.quick.ask(pathOf('Track', id));
    const known = { 'if-match': headers.get('etag') ?? '' };
    const replace = () => put(replicas.slow, ['Track', id], medley('new', ids.slice(1)), known);
    expect(await besideScores(replace, 1)).toMatchObject({ status: 412 });
    const { body } = await replicas.quick.ask(pathOf('Track', id));
    expect(body).toMatchObject({ attributes: { title: 't', plays: 1 } });
  });

  it('is a deletion, too', async () => {
    await patch();
    const remove = () => replicas.slow.ask(pathOf('Track', id), { method: 'DELETE' });
    expect(await besideScores(remove, 5)).toMatchObject({ status: 204 });
    expect(await replicas.quick.ask(pathOf('Track', id))).toMatchObject({ status: 404 });
  });
});
