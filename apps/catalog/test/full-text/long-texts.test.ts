import { openBeforeAll } from '@engawa/testing';
import { startTable } from '../table.ts';
import { startReplica, untilFound, untilLoaded } from './replica.ts';

const type = {
  attributes: [
    { name: 'title', kind: 'text' },
    { name: 'body', kind: 'text' },
    { name: 'notes', kind: 'text' },
  ],
  fullText: ['title', 'body', 'notes'],
};

describe('texts longer than full text indexes', () => {
  const started = openBeforeAll(startTable);
  const replicas = [0, 1].map(() => openBeforeAll(() => startReplica(started)));
  beforeAll(async () => {
    for (const replica of replicas) await untilLoaded(replica);
  });
  const ask = async (path: string, body?: object, method = 'PUT') => {
    const options = body && { method, body };
    const answer = await replicas[0]?.ask(path, options);
    return answer?.body as Record<string, unknown>;
  };

  it('have a share each, the same on every replica, and the answers say what is not indexed', async () => {
    await ask('/v1/types/Page', type);
    const filler = 'word '.repeat(20_000);
    const attributes = {
      title: 'harbour',
      body: `lighthouse ${filler} seagull`,
      notes: `anchor ${filler} compass`,
    };
    const reason = /^has 1000\d\d UTF-16 units, of which the first 327\d\d are indexed$/;
    const matching = expect.stringMatching(reason) as unknown;
    const unindexed = { body: matching, notes: matching };
    expect(await ask('/v1/entities/Page/1', { attributes })).toMatchObject({ unindexed });
    expect(await ask('/v1/types/Page')).toMatchObject({
      unindexed: [
        { attribute: 'body', count: 1, examples: [{ id: '1' }] },
        { attribute: 'notes', count: 1, examples: [{ id: '1' }] },
      ],
    });
    for (const replica of replicas) {
      for (const word of ['harbour', 'lighthouse', 'anchor'])
        await untilFound(replica, word, ['1']);
      for (const word of ['seagull', 'compass']) expect(await replica.found(word)).toEqual([]);
    }
    const patched = await ask('/v1/entities/Page/1', { attributes: { notes: null } }, 'PATCH');
    expect(Object.keys(patched['unindexed'] as object)).toEqual(['body']);
    const whole = await ask('/v1/entities/Page/1', { attributes: { body: 'seagull' } });
    expect(whole).not.toHaveProperty('unindexed');
    expect(await ask('/v1/types/Page')).not.toHaveProperty('unindexed');
    for (const replica of replicas) await untilFound(replica, 'seagull', ['1']);
  });
});
