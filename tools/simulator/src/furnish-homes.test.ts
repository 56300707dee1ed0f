import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { furnishHomes } from './furnish-homes.ts';
import { devices } from './homes.ts';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Body = Record<string, unknown>;

/** What was put where, as a registry would keep it. */
let kept: Map<string, Body>;
/** Answers in place of the registry, where it gives a status. */
let mood: (method: string, path: string) => number | undefined;
let server: Server;
let registryUrl: string;
let lines: string[];
const print = (line: string) => lines.push(line);
const signal = new AbortController().signal;
const since = Date.UTC(2026, 10, 1);

/** A place's device is a device that is somewhere. */
const placement = /^\/v1\/places\/([^/]+)(\/devices\/[^/]+)$/;

function answer(method: string, path: string, body: Body, createOnly: boolean): [number, Body?] {
  const status = mood(method, path);
  if (status !== undefined) return [status];
  const known = kept.get(path);
  if (method === 'GET') return known ? [200, known] : [404];
  if (createOnly && known) return [412];
  const [, place, device] = placement.exec(path) ?? [];
  const target = device === undefined ? path : `/v1${device}`;
  kept.set(target, { ...kept.get(target), ...body, ...(place !== undefined && { place }) });
  return [200, {}];
}

function send(response: ServerResponse, [status, body]: [number, Body?]): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(body && JSON.stringify(body));
}

beforeEach(async () => {
  kept = new Map();
  mood = () => undefined;
  lines = [];
  server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    const read = method === 'GET' ? Promise.resolve({}) : json(request);
    void read.then((body) => {
      send(response, answer(method, url, body as Body, headers['if-none-match'] === '*'));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  registryUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const furnish = (more: { retryMilliseconds?: number; signal?: AbortSignal } = {}) =>
  furnishHomes({ registryUrl, devices, since, signal, print, ...more }, () => undefined);

it('tells of the places, their rooms, and where each device is', async () => {
  await furnish();
  expect(kept.get('/v1/places/tanaka')).toEqual({ name: '田中家' });
  expect(kept.get('/v1/rooms/smith/study')).toEqual({ name: 'Study' });
  expect(kept.get('/v1/devices/climate-smith-study')).toEqual({
    name: 'Smith study climate',
    kind: 'climate',
    place: 'smith',
    room: 'study',
    since: '2026-11-01T00:00:00.000Z',
  });
  expect(kept.get('/v1/devices/door-sato-front')).toMatchObject({ kind: 'contact', place: 'sato' });
  expect(lines).toEqual([]);
});

it('leaves alone what somebody has changed', async () => {
  kept.set('/v1/places/tanaka', { name: 'Mine' });
  kept.set('/v1/devices/meter-tanaka', { name: 'My meter', place: 'elsewhere' });
  kept.set('/v1/devices/door-tanaka-front', { name: 'door-tanaka-front' });
  await furnish();
  expect(kept.get('/v1/places/tanaka')).toEqual({ name: 'Mine' });
  expect(kept.get('/v1/devices/meter-tanaka')).toEqual({ name: 'My meter', place: 'elsewhere' });
  // Registered when it was first heard of, with its id for a name.
  expect(kept.get('/v1/devices/door-tanaka-front')).toMatchObject({
    name: '田中家 玄関ドア',
    place: 'tanaka',
  });
});

it('says what was refused and goes on', async () => {
  mood = (method, path) => (path === '/v1/places/smith' && method === 'PUT' ? 400 : undefined);
  await furnish();
  expect(lines).toEqual(['the registry would not take it: PUT /v1/places/smith: HTTP 400']);
  expect(kept.get('/v1/rooms/smith/study')).toEqual({ name: 'Study' });
});

it('says once that the registry is not ready, and tries on', async () => {
  let refusals = 5;
  mood = () => (refusals-- > 0 ? 503 : undefined);
  await furnish({ retryMilliseconds: 5 });
  expect(kept.has('/v1/devices/meter-sato')).toBe(true);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(
    /^registry at http:\/\/127\.0\.0\.1:\d+: PUT \/v1\/places\/\w+: HTTP 503$/,
  );
});

it('ends when told', async () => {
  const stop = new AbortController();
  mood = () => {
    setTimeout(() => stop.abort(), 20);
    return 503;
  };
  await expect(furnish({ retryMilliseconds: 5, signal: stop.signal })).rejects.toThrow('aborted');
});
