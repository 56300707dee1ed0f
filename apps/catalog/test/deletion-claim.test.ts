import { catalogTaskKey } from '@engawa/keys';
import { until } from '@engawa/testing';
import { catalogOn } from './catalog.ts';
import { artist, declare, make, pathOf, quiet, track } from './entities.ts';
import { Gate } from './gate.ts';
import { startTable } from './table.ts';
import { tasksOf } from './types.ts';
import type { ProxiedRequest } from '@engawa/testing';
import type { Catalog } from './catalog.ts';
import type { StartedTable } from './table.ts';

const looksForTasks = ({ operation, body }: ProxiedRequest) =>
  operation === 'Query' && body.includes('TASKS#CATALOG');
const looksForRelations = ({ operation, body }: ProxiedRequest) =>
  operation === 'Query' && body.includes('"gsi1"') && body.includes('E#Artist#');

describe('the background task of a deletion', () => {
  let started: StartedTable;
  let gates: Gate[];
  let replicas: Catalog[];
  // Each test has replicas and a table of its own: it counts all requests for tasks.
  beforeEach(async () => {
    started = await startTable();
    const { endpoint } = started.location;
    gates = [await Gate.start(endpoint), await Gate.start(endpoint)];
    const setup = await catalogOn(started, quiet);
    await declare(setup, { Artist: artist, Track: track });
    await setup.close();
    const environment = { ...quiet, TASK_REFRESH_MS: '20' };
    replicas = await Promise.all(
      gates.map((gate) => catalogOn(started, { ...environment, ...gate.environment })),
    );
  });
  afterEach(async () => {
    await Promise.all(replicas.map((replica) => replica.close()));
    await Promise.all(gates.map((gate) => gate.close()));
    await started.close();
  });

  const count = (gate: Gate, matches: (request: ProxiedRequest) => boolean) =>
    gate.requests.filter(matches).length;

  async function untilPolled(times: number): Promise<void> {
    const before = gates.map((gate) => count(gate, looksForTasks));
    await until('both replicas to poll tasks', () =>
      gates.every((gate, index) => count(gate, looksForTasks) >= (before[index] ?? 0) + times),
    );
  }

  it('costs one Query per deletion on one replica until the index lag has passed', async () => {
    const [first] = replicas as [Catalog];
    const ids = Array.from({ length: 10 }, (_, index) => `a${index}`);
    for (const id of ids) {
      await make(first, ['Artist', id, { attributes: { name: id } }]);
      await make(first, ['Track', id, { attributes: { title: id }, relations: { artist: id } }]);
    }
    for (const id of ids) {
      const path = `${pathOf('Artist', id)}?detach=true`;
      expect(await first.ask(path, { method: 'DELETE' })).toMatchObject({ status: 204 });
    }
    for (const id of ids) {
      await until('the relation to be removed', async () => {
        const { body } = await first.ask(pathOf('Track', id));
        return !('artist' in (body as { relations: object }).relations);
      });
    }
    await untilPolled(15);
    expect(gates.map((gate) => count(gate, looksForRelations))).toEqual([10, 0]);
    expect(await tasksOf(started.table)).toHaveLength(10);
  });

  it('is completed by another replica after a failure', async () => {
    const [first] = replicas as [Catalog];
    await make(first, ['Artist', 'z', { attributes: { name: 'z' } }]);
    const lost = [
      { name: 'looked', at: Date.now() - 200_000, looked: true },
      { name: 'begun', at: Date.now() - 200_000 },
      { name: 'fresh', at: Date.now() },
    ];
    for (const { name, ...note } of lost) {
      const claim = { by: 'gone', until: Date.now() - 1 };
      await started.table.put({
        ...catalogTaskKey('DELETION', 'Artist', name, 'n'),
        ...note,
        claim,
      });
    }
    await until('the earlier processes to end', async () => {
      return (await tasksOf(started.table)).length === 1;
    });
    await untilPolled(5);
    expect(await tasksOf(started.table)).toMatchObject([{ looked: true }]);
    const counts = gates.map((gate) => count(gate, looksForRelations));
    expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBe(3);
  });
});
