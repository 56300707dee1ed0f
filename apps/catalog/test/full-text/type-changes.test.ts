import { openBeforeEach } from '@engawa/testing';
import { startTable } from '../table.ts';
import { put } from './lights.ts';
import { startReplica, untilFound } from './replica.ts';

const attributes = [
  { name: 'name', kind: 'text' },
  { name: 'note', kind: 'text' },
];

describe('a type whose fullText changes', () => {
  const started = openBeforeEach(startTable);
  const replica = openBeforeEach(() => startReplica(started, { TYPE_SETTLE_MS: '0' }));

  async function declare(fullText: string[]): Promise<void> {
    const body = { attributes, fullText };
    const answer = await replica.ask('/v1/types/Light', { method: 'PUT', body });
    expect([answer.status, answer.body]).toEqual([expect.any(Number), expect.anything()]);
  }

  it('finds existing entities by added attributes, and not by removed ones', async () => {
    await declare([]);
    await put(replica, 'a', { name: 'Lamp', note: 'brass' });
    // Longer ago than the overlap of polls.
    await started.table.update(
      { pk: 'E#Light#a', sk: 'E#Light#a' },
      { setInside: [{ path: ['data', 'updatedAt'], value: Date.now() - 10 * 60_000 }] },
    );
    await declare(['name', 'note']);
    await untilFound(replica, 'brass', ['a']);
    await declare(['name']);
    await untilFound(replica, 'brass', []);
    expect(await replica.found('lamp')).toEqual(['a']);
    await declare([]);
    await untilFound(replica, 'lamp', []);
  });
});
