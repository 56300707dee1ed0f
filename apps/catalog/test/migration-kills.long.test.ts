import { keyOf } from '@engawa/model';
import { until } from '@engawa/testing';
import { startChild } from './full-text/child-replica.ts';
import { itemsOf } from './entities.ts';
import { startTable } from './table.ts';
import { tasksOf } from './types.ts';
import type { ChildReplica } from './full-text/child-replica.ts';
import type { StartedTable } from './table.ts';

const doors = ['front', 'back', 'side'];
const houses = Array.from({ length: 250 }, (_, index) => `h${1000 + index}`);

const before = {
  attributes: [
    { name: 'color', kind: 'text' },
    { name: 'size', kind: 'text' },
    { name: 'note', kind: 'text' },
    { name: 'left', kind: 'number' },
    { name: 'right', kind: 'number' },
  ],
  relations: [{ name: 'door', to: 'Door' }],
  searches: [{ name: 'byColour', parts: [{ attribute: 'color' }] }],
};
const after = {
  attributes: [
    { name: 'colour', kind: 'text', renamedFrom: 'color' },
    { name: 'size', kind: 'number', convert: true },
    { name: 'left', kind: 'text', convert: true },
    { name: 'right', kind: 'number' },
  ],
  relations: [{ name: 'doors', to: 'Door', many: true, renamedFrom: 'door' }],
  removed: ['note'],
  searches: [{ name: 'byColour', parts: [{ attribute: 'colour' }] }],
};

interface House {
  attributes: Record<string, unknown>;
  relations: { door?: string; doors?: string[] };
  unconverted?: Record<string, unknown>;
}

describe('a migration during writes, with two replicas that are killed', () => {
  let started: StartedTable;
  const replicas: ChildReplica[] = [];
  let stopped = false;
  beforeEach(async () => {
    started = await startTable();
    for (let count = 0; count < 2; count++) replicas.push(await start());
  });
  afterEach(async () => {
    stopped = true;
    for (const replica of replicas.splice(0)) await replica.kill('SIGKILL');
    await started.close();
  });

  const start = () =>
    startChild(started, {
      heapMb: 200,
      environment: {
        TYPE_SETTLE_MS: '3000',
        TASK_REFRESH_MS: '500',
        FULL_TEXT_REFRESH_MS: '60000',
      },
    });

  /** Sends the request to each replica in turn until one responds. */
  async function send(index: number, method: string, path: string, body?: unknown) {
    for (;;) {
      const api = replicas[index % 2]?.api ?? '';
      try {
        const answer = await fetch(`${api}/v1${path}`, {
          method,
          headers: { 'content-type': 'application/json' },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        const text = await answer.text();
        const isFinal = answer.status < 500 && answer.status !== 404;
        if (isFinal || stopped) return { status: answer.status, body: parsed(text) };
      } catch (error) {
        // The replica was killed.
        if (stopped) throw error;
      }
    }
  }

  function parsed(text: string): unknown {
    return text === '' ? undefined : JSON.parse(text);
  }

  /** Increments an attribute of one house after another. */
  async function write(
    index: number,
    name: string,
    kinds: readonly string[],
    acknowledged: Map<string, number>,
  ) {
    for (let count = 1; !stopped; count++) {
      const id = houses[(count * 7 + index) % houses.length] ?? '';
      for (const kind of kinds) {
        const value = kind === 'text' ? String(count) : count;
        const body = { attributes: { [name]: value } };
        const { status } = await send(index, 'PATCH', `/entities/House/${id}`, body);
        if (status === 200) acknowledged.set(id, count);
      }
    }
  }

  async function read(index: number, wrong: unknown[]): Promise<void> {
    for (let count = 0; !stopped; count++) {
      const id = houses[(count * 11) % houses.length] ?? '';
      const { status, body } = await send(index, 'GET', `/entities/House/${id}`);
      const { attributes, relations } = body as House;
      const isWhole =
        status === 200 &&
        (attributes['color'] ?? attributes['colour']) === `red ${id}` &&
        (relations.door ?? relations.doors?.[0]) === 'front';
      if (!isWhole) wrong.push(body);
    }
  }

  it('completes, and loses no acknowledged write', async () => {
    await send(0, 'PUT', '/types/Door', { attributes: [] });
    await send(0, 'PUT', '/types/House', before);
    await send(0, 'POST', '/entities', [
      ...doors.map((id) => ({ type: 'Door', id })),
      ...houses.map((id, index) => ({
        type: 'House',
        id,
        attributes: {
          color: `red ${id}`,
          size: index % 10 === 0 ? `about ${index}` : String(index),
          note: 'x',
          left: 0,
          right: 0,
        },
        relations: { door: 'front' },
      })),
    ]);
    const left = new Map<string, number>();
    const right = new Map<string, number>();
    const wrong: unknown[] = [];
    const busy = [
      write(0, 'left', ['number', 'text'], left),
      write(1, 'right', ['number'], right),
      read(0, wrong),
      read(1, wrong),
    ];
    expect(await send(0, 'PUT', '/types/House', after)).toMatchObject({ status: 200 });
    const isBuilding = async () =>
      (await tasksOf(started.table)).some((item) => keyOf(item).sk.startsWith('BUILD'));
    for (let kills = 0; kills < 4; kills++) {
      const doneBefore = await done();
      await until(
        'some to be built',
        async () => (await done()) > doneBefore || !(await isBuilding()),
      );
      await replicas[kills % 2]?.kill('SIGKILL');
      replicas[kills % 2] = await start();
    }
    await until('the build to end', async () => !(await isBuilding()));
    stopped = true;
    await Promise.all(busy);
    stopped = false;
    expect(wrong).toEqual([]);
    for (const [index, id] of houses.entries()) await check(id, index, { left, right });
  });

  async function done(): Promise<number> {
    const [build] = await tasksOf(started.table);
    return (build?.['progress'] as { done: number } | undefined)?.done ?? Infinity;
  }

  async function check(
    id: string,
    index: number,
    { left, right }: { left: ReadonlyMap<string, number>; right: ReadonlyMap<string, number> },
  ): Promise<void> {
    const items = await itemsOf(started.table, 'House', id);
    const own = items.find((item) => keyOf(item).sk.startsWith('E#'));
    const isOdd = index % 10 === 0;
    expect(own?.['data']).toMatchObject({
      attributes: {
        colour: `red ${id}`,
        left: String(left.get(id) ?? 0),
        right: right.get(id) ?? 0,
        ...(!isOdd && { size: index }),
      },
      one: {},
      ...(isOdd && { unconverted: { size: `about ${index}` } }),
    });
    expect(JSON.stringify(items)).not.toMatch(/"color"|"note"|"door"/);
    const rows = items.filter((item) => keyOf(item).sk.startsWith('R#'));
    expect(rows).toMatchObject([{ data: { relations: ['doors'] } }]);
    expect(items.filter((item) => keyOf(item).sk.startsWith('F#'))).toHaveLength(1);
    expect(items.some(({ sk }) => sk === 'LEFTOUT')).toBe(isOdd);
  }
});
