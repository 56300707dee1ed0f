import { openBeforeAll } from '@engawa/testing';
import { make, pathOf, put } from './entities.ts';
import { decides, isTransaction } from './gate.ts';
import { ids, medley, startTwoReplicas } from './two-replicas.ts';
import type { ProxiedRequest } from '@engawa/testing';
import type { TestResponse } from './catalog.ts';

/** The steps of a staged write: staging and commit. */
const isStep = (request: ProxiedRequest) =>
  (isTransaction(request) && request.body.includes('"staged"')) || decides(request);

describe('a write of many relations during score updates of the same entity', () => {
  const replicas = openBeforeAll(startTwoReplicas);
  let score: number;
  let id = '';
  let count = 0;
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

  /** Adds to the score before each of the steps of the write, up to `maxScores` times. */
  async function duringScoreUpdates(
    write: () => Promise<TestResponse>,
    maxScores = 12,
  ): Promise<TestResponse> {
    const written = write();
    const answered = written.then(() => false);
    while (score < maxScores) {
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

  it('succeeds without losing a score update', async () => {
    expect(await duringScoreUpdates(patch)).toMatchObject({ status: 200 });
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
    expect(await duringScoreUpdates(replace, 1)).toMatchObject({ status: 412 });
    const { body } = await replicas.quick.ask(pathOf('Track', id));
    expect(body).toMatchObject({ attributes: { title: 't', plays: 1 } });
  });

  it('may be a deletion', async () => {
    await patch();
    const remove = () => replicas.slow.ask(pathOf('Track', id), { method: 'DELETE' });
    expect(await duringScoreUpdates(remove, 5)).toMatchObject({ status: 204 });
    expect(await replicas.quick.ask(pathOf('Track', id))).toMatchObject({ status: 404 });
  });
});
