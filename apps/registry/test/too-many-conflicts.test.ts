import { randomUUID } from 'node:crypto';
import { deviceKey, placeKey, roomKey } from '@engawa/keys';
import { deviceItem } from '@engawa/model';
import { aDevice, openBeforeAll, startOvertakingProxy } from '@engawa/testing';
import { pathOf } from './places.ts';
import { startServiceOnTable } from './start-service-on-table.ts';
import { startTable } from './table.ts';
import type { Key } from '@engawa/keys';

const correction = {
  operation: 'delete',
  from: '2026-10-01T10:00:00Z',
  to: '2026-10-01T11:00:00Z',
  why: 'the meter was tested',
};

const started = openBeforeAll(startTable);
const proxy = openBeforeAll(() => startOvertakingProxy(started.location.endpoint));
const registry = openBeforeAll(() =>
  startServiceOnTable(started, {
    ...proxy.environment,
    RATE_LIMIT_PER_MINUTE: '0',
  }),
);

beforeAll(async () => {
  await registry.ask(pathOf('places', 'home'), { method: 'PUT', body: { name: 'Home' } });
  await registry.ask(pathOf('rooms', 'home', 'hall'), { method: 'PUT', body: { name: 'Hall' } });
});
afterEach(() => (proxy.overtake = undefined));

async function putDevice(id: string): Promise<void> {
  await started.table.put(deviceItem(aDevice({ id }), { list: 1, seen: 1 }));
}

/** Another client changes the item before each write of the service that names it. */
function overtakeAt(changes: readonly (readonly [string, () => Promise<unknown>])[]): void {
  proxy.overtake = async ({ body }) => {
    for (const [id, change] of changes) if (body.includes(`${id}"`)) await change();
  };
}

const raiseVersion = (key: Key) => () => started.table.update(key, { add: { version: 1 } });

/** Requests of which every attempt is overtaken, with the resource that the problem names. */
const requests: readonly [string, string, string, object | undefined][] = [
  ['the device "patched"', 'PATCH', pathOf('devices', 'patched'), { metadata: { a: 1 } }],
  ['the device "deleted"', 'DELETE', pathOf('devices', 'deleted'), undefined],
  ['the device "moved"', 'PUT', pathOf('places', 'home', 'devices', 'moved'), {}],
  ['the device "corrected"', 'PUT', pathOf('devices', 'corrected', 'corrections', 'c'), correction],
  ['the place "home"', 'PATCH', pathOf('places', 'home'), { labels: { a: 'b' } }],
  ['the room "hall" in place "home"', 'PATCH', pathOf('rooms', 'home', 'hall'), { labels: {} }],
];

it('answers 409 too-many-conflicts with Retry-After when other clients are first each time', async () => {
  for (const id of ['patched', 'deleted', 'moved', 'corrected']) await putDevice(id);
  overtakeAt([
    ...['patched', 'deleted', 'moved'].map((id) => [id, raiseVersion(deviceKey(id))] as const),
    [
      'corrected',
      () => {
        const corrections = { version: randomUUID(), made: 0 };
        return started.table.update(deviceKey('corrected'), { set: { corrections } });
      },
    ],
    ['home', raiseVersion(placeKey('home'))],
    ['hall', raiseVersion(roomKey('home', 'hall'))],
  ]);
  const answers = await Promise.all(
    requests.map(([, method, path, body]) => registry.ask(path, { method, ...(body && { body }) })),
  );
  for (const [index, [resource]] of requests.entries()) {
    const { status, headers, body } = answers[index] ?? { status: 0 };
    expect([resource, status]).toEqual([resource, 409]);
    expect(body).toMatchObject({
      type: '/problems/too-many-conflicts',
      detail: `Other clients changed ${resource} before each attempt of this request.`,
    });
    expect(headers?.get('retry-after')).toBe('1');
  }
  proxy.overtake = undefined;
  // The rejected requests changed nothing, and succeed when they are sent again.
  expect(await started.table.get(deviceKey('patched'))).not.toHaveProperty('metadata');
  for (const [resource, method, path, body] of requests) {
    const { status } = await registry.ask(path, { method, ...(body && { body }) });
    expect([resource, status < 300]).toEqual([resource, true]);
  }
});

it('succeeds at the 30th attempt: a busy resource is not a rejected request', async () => {
  await putDevice('busy');
  let overtaken = 0;
  overtakeAt([
    [
      'busy',
      async () => (++overtaken < 30 ? raiseVersion(deviceKey('busy'))() : Promise.resolve()),
    ],
  ]);
  const path = pathOf('devices', 'busy');
  const answer = await registry.ask(path, { method: 'PATCH', body: { metadata: { a: 1 } } });
  expect(answer).toMatchObject({ status: 200, body: { metadata: { a: 1 } } });
  expect(overtaken).toBe(30);
});
