import { textRowKey } from '@engawa/keys';
import { closersAfterEach, openBeforeEach, until } from '@engawa/testing';
import { startTable } from '../table.ts';
import { startGate } from './gate.ts';
import { declareLights, put } from './lights.ts';
import { startReplica, untilFound, untilLoaded } from './replica.ts';
import type { Replica } from './replica.ts';

describe('the embedded full-text index', () => {
  // Each test starts replicas of its own: it tests builds of the index of a table.
  const started = openBeforeEach(startTable);
  const gate = openBeforeEach(() => startGate(started.location.endpoint));
  const closers = closersAfterEach();

  async function start(environment: Record<string, string> = {}): Promise<Replica> {
    const through = { DYNAMODB_ENDPOINT: gate.endpoint, ...environment };
    const replica = await startReplica(started, through);
    closers.push(() => replica.close());
    return replica;
  }

  it('is built from the table by each replica at its start', async () => {
    const first = await start();
    await declareLights(first);
    await put(first, 'a', { name: 'Lamp' });
    await put(first, 'b', { name: 'Lamp' });
    const second = await start();
    await untilLoaded(second);
    expect(await second.found('lamp')).toEqual(['a', 'b']);
    await put(first, 'c', { name: 'Lamp' });
    await untilFound(second, 'lamp', ['a', 'b', 'c']);
    await untilFound(first, 'lamp', ['a', 'b', 'c']);
    expect(await second.metric('engawa_full_text_rebuild_seconds_count')).toBe(1);
  });

  it('answers 503 until it is built', async () => {
    const first = await start();
    await declareLights(first);
    await put(first, 'a', { name: 'Lamp' });
    gate.isOpen = false;
    const second = await start();
    await until('a look to be refused', () => gate.refused > 0);
    const answer = await second.ask('/v1/search?q=lamp');
    expect(answer).toMatchObject({
      status: 503,
      body: { type: '/problems/full-text-unavailable' },
    });
    gate.isOpen = true;
    await untilLoaded(second);
    expect(await second.found('lamp')).toEqual(['a']);
  });

  it('serves searches with their staleness while the table is down, and catches up', async () => {
    const replica = await start();
    await declareLights(replica);
    await put(replica, 'a', { name: 'Lamp' });
    await untilFound(replica, 'lamp', ['a']);
    gate.isOpen = false;
    await put(
      await start({ DYNAMODB_ENDPOINT: String(started.environment['DYNAMODB_ENDPOINT']) }),
      'b',
      {
        name: 'Lamp',
      },
    );
    const failed = () => replica.metric('engawa_full_text_polls_total', { outcome: 'failed' });
    await until('a poll to fail', async () => (await failed()) > 0);
    const before = await replica.search({ q: 'lamp' });
    expect(before.items.map(({ id }) => id)).toEqual(['a']);
    const later = await until('the index to be older', async () => {
      const answer = await replica.search({ q: 'lamp' });
      return answer.staleMs > before.staleMs + 100 ? answer : undefined;
    });
    expect(later).toMatchObject({ items: [{ id: 'a' }], asOf: before.asOf });
    expect(await replica.metric('engawa_full_text_stale_seconds')).toBeGreaterThan(0.1);
    // Logged once, not per failed poll.
    const said = () =>
      replica.logged.filter((line) => line.includes('index updates are failing')).length;
    expect(said()).toBe(1);
    gate.isOpen = true;
    await untilFound(replica, 'lamp', ['a', 'b']);
    expect((await replica.search({ q: 'lamp' })).asOf > before.asOf).toBe(true);
    expect(said()).toBe(1);
  });

  it('is rebuilt by all replicas on request', async () => {
    const replicas = [await start(), await start()];
    const [first] = replicas as [Replica, Replica];
    await declareLights(first);
    await put(first, 'a', { name: 'Lamp' });
    await put(first, 'b', { name: 'Lamp' });
    for (const replica of replicas) await untilFound(replica, 'lamp', ['a', 'b']);
    // A change that no poll finds.
    await started.table.delete(textRowKey({ type: 'Light', id: 'b' }));
    const { asOf } = await first.search({ q: 'lamp' });
    await until('another poll', async () => (await first.search({ q: 'lamp' })).asOf > asOf);
    expect(await first.found('lamp')).toEqual(['a', 'b']);
    expect(await first.ask('/v1/search/rebuild', { method: 'POST' })).toMatchObject({
      status: 202,
    });
    for (const replica of replicas) await untilFound(replica, 'lamp', ['a']);
    // One rebuild per request, although polls overlap, and none by a replica that starts after the request.
    const third = await start();
    await untilLoaded(third);
    for (const [replica, times] of [[first, 2] as const, [third, 1] as const]) {
      const polls = () => replica.metric('engawa_full_text_polls_total', { outcome: 'ok' });
      const since = await polls();
      await until('more polls', async () => (await polls()) > since + 5);
      expect(await replica.metric('engawa_full_text_rebuild_seconds_count')).toBe(times);
    }
    expect(first.logged.filter((line) => line.includes('"level":40'))).toEqual([]);
  });

  it('polls for changes with one Query', async () => {
    const replica = await start();
    await untilLoaded(replica);
    const count = () =>
      replica.metric('engawa_table_attempts_total', { operation: 'Query', index: 'gsi2' });
    const polls = () => replica.metric('engawa_full_text_polls_total', { outcome: 'ok' });
    const [queries, before] = [await count(), await polls()];
    await until('ten polls', async () => (await polls()) >= before + 10);
    const [made, then] = [await count(), await polls()];
    // A poll may be in flight at the start and at the end.
    expect(Math.abs(made - queries - (then - before))).toBeLessThanOrEqual(2);
  });
});
