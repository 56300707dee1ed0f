import { catalogTaskKey } from '@engawa/keys';
import { until } from '@engawa/testing';
import { catalogOn } from './catalog.ts';
import { artist, declare, make, pathOf, quiet, track } from './entities.ts';
import { Gate } from './gate.ts';
import { startTable } from './table.ts';
import { tasksOf } from './types.ts';
import type { Catalog } from './catalog.ts';
import type { TableRequest } from './gate.ts';
import type { StartedTable } from './table.ts';

const looksForTasks = ({ operation, body }: TableRequest) =>
  operation === 'Query' && body.includes('TASKS#CATALOG');
const looksForRelations = ({ operation, body }: TableRequest) =>
  operation === 'Query' && body.includes('"gsi1"') && body.includes('E#Artist#');

describe('deletions that replicas find at each poll', () => {
  let started: StartedTable;
  let gates: Gate[];
  let replicas: Catalog[];
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

  const count = (gate: Gate, isMeant: (request: TableRequest) => boolean) =>
    gate.requests.filter(isMeant).length;

  async function untilLooked(times: number): Promise<void> {
    const before = gates.map((gate) => count(gate, looksForTasks));
    await until('both replicas to look for tasks', () =>
      gates.every((gate, index) => count(gate, looksForTasks) >= (before[index] ?? 0) + times),
    );
  }

  it('cost a Query each until the index surely shows all, by one of them', async () => {
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
      await until('the relation to be gone', async () => {
        const { body } = await first.ask(pathOf('Track', id));
        return !('artist' in (body as { relations: object }).relations);
      });
    }
    await untilLooked(15);
    expect(gates.map((gate) => count(gate, looksForRelations))).toEqual([10, 0]);
    expect(await tasksOf(started.table)).toHaveLength(10);
  });

  it('are completed by another replica after a failure', async () => {
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
    await until('the old ones to be ended', async () => {
      return (await tasksOf(started.table)).length === 1;
    });
    await untilLooked(5);
    expect(await tasksOf(started.table)).toMatchObject([{ looked: true }]);
    const counts = gates.map((gate) => count(gate, looksForRelations));
    expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBe(3);
  });
});
