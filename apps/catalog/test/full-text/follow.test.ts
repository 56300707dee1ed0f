import { textRowKey } from '@engawa/keys';
import { until } from '@engawa/testing';
import { startTable } from '../table.ts';
import { startGate } from './gate.ts';
import { declareLights, put } from './lights.ts';
import { startReplica, untilFound, untilLoaded } from './replica.ts';
import type { StartedTable } from '../table.ts';
import type { Gate } from './gate.ts';
import type { Replica } from './replica.ts';

describe('the embedded full-text index', () => {
  let started: StartedTable;
  let gate: Gate;
  const running: Replica[] = [];

  beforeEach(async () => {
    started = await startTable();
    gate = await startGate(String(started.environment['DYNAMODB_ENDPOINT']));
  });
  afterEach(async () => {
    for (const replica of running.splice(0)) await replica.close();
    gate.close();
    await started.close();
  });

  async function start(environment: Record<string, string> = {}): Promise<Replica> {
    const through = { DYNAMODB_ENDPOINT: gate.endpoint, ...environment };
    const replica = await startReplica(started, through);
    running.push(replica);
    return replica;
  }

  it('is made from the table by each replica that starts', async () => {
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

  it('cannot be asked before it is made, and then can', async () => {
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
    const failed = () => replica.metric('engawa_full_text_looks_total', { outcome: 'failed' });
    await until('a look to fail', async () => (await failed()) > 0);
    const before = await replica.search({ q: 'lamp' });
    expect(before.items.map(({ id }) => id)).toEqual(['a']);
    const later = await until('it to be older', async () => {
      const answer = await replica.search({ q: 'lamp' });
      return answer.staleMs > before.staleMs + 100 ? answer : undefined;
    });
    expect(later).toMatchObject({ items: [{ id: 'a' }], asOf: before.asOf });
    expect(await replica.metric('engawa_full_text_stale_seconds')).toBeGreaterThan(0.1);
    // Said once, however often it fails.
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
    // Something that no look for changes can see.
    await started.table.delete(textRowKey({ type: 'Light', id: 'b' }));
    const { asOf } = await first.search({ q: 'lamp' });
    await until('another look', async () => (await first.search({ q: 'lamp' })).asOf > asOf);
    expect(await first.found('lamp')).toEqual(['a', 'b']);
    expect(await first.ask('/v1/search/rebuild', { method: 'POST' })).toMatchObject({
      status: 202,
    });
    for (const replica of replicas) await untilFound(replica, 'lamp', ['a']);
    // Once, for all that it is read again; and not again by one that begins with it.
    const third = await start();
    await untilLoaded(third);
    for (const [replica, times] of [[first, 2] as const, [third, 1] as const]) {
      const looks = () => replica.metric('engawa_full_text_looks_total', { outcome: 'ok' });
      const since = await looks();
      await until('some more looks', async () => (await looks()) > since + 5);
      expect(await replica.metric('engawa_full_text_rebuild_seconds_count')).toBe(times);
    }
    expect(first.logged.filter((line) => line.includes('"level":40'))).toEqual([]);
  });

  it('polls for changes with one Query', async () => {
    const replica = await start();
    await untilLoaded(replica);
    const count = () =>
      replica.metric('engawa_table_attempts_total', { operation: 'Query', index: 'gsi2' });
    const looks = () => replica.metric('engawa_full_text_looks_total', { outcome: 'ok' });
    const [queries, before] = [await count(), await looks()];
    await until('ten looks', async () => (await looks()) >= before + 10);
    const [made, then] = [await count(), await looks()];
    // One may be under way at either end.
    expect(Math.abs(made - queries - (then - before))).toBeLessThanOrEqual(2);
  });
});
