import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { nameDevices } from './name-devices.ts';

/** As much of the registry as is used here: a map of names behind GET and PATCH. */
function serve(names: Map<string, string>, refuses: string): Server {
  return createServer((request, response) => {
    void (async () => {
      const id = decodeURIComponent(request.url?.replace('/v1/devices/', '') ?? '');
      const known = names.get(id);
      if (known === undefined) return response.writeHead(404).end();
      if (request.method === 'PATCH') {
        const { name } = (await json(request)) as { name: string };
        if (id === refuses) return response.writeHead(400).end();
        names.set(id, name);
      }
      response.setHeader('content-type', 'application/json');
      return response.end(JSON.stringify({ id, name: names.get(id) }));
    })();
  }).listen(0, '127.0.0.1');
}

let names: Map<string, string>;
let server: Server;
let registryUrl: string;
const lines: string[] = [];
const print = (line: string) => lines.push(line);
const signal = new AbortController().signal;

beforeEach(async () => {
  lines.length = 0;
  names = new Map();
  server = serve(names, 'refused');
  await once(server, 'listening');
  registryUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const living = { id: 'climate-tanaka-living', name: '田中家 リビングの温湿度計' };

it('names each device once it is registered', async () => {
  names.set(living.id, living.id);
  const late = { id: 'late', name: 'Late' };
  const named = nameDevices({
    registryUrl,
    devices: [living, late],
    signal,
    print,
    retryMilliseconds: 5,
  });
  while (names.get(living.id) !== living.name) await once(server, 'request');
  expect(names.has('late')).toBe(false);
  names.set('late', 'late');
  await named;
  expect(names.get('late')).toBe('Late');
  expect(lines).toEqual([]);
});

it('leaves a name alone that somebody else gave', async () => {
  names.set(living.id, 'Mine');
  await nameDevices({ registryUrl, devices: [living], signal, print });
  expect(names.get(living.id)).toBe('Mine');
});

it('says which name was refused and goes on', async () => {
  names.set('refused', 'refused').set(living.id, living.id);
  const devices = [{ id: 'refused', name: 'No' }, living];
  await nameDevices({ registryUrl, devices, signal, print });
  expect(names.get(living.id)).toBe(living.name);
  expect(lines).toEqual(['the registry would not name refused (HTTP 400)']);
});

it('says once that the registry is away, tries on, and ends when told', async () => {
  const stop = new AbortController();
  const away = nameDevices({
    registryUrl: 'http://127.0.0.1:9',
    devices: [living],
    signal: stop.signal,
    print: (line) => {
      lines.push(line);
      setTimeout(() => stop.abort(), 50);
    },
    retryMilliseconds: 5,
  });
  await expect(away).rejects.toThrow('aborted');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^registry at http:\/\/127\.0\.0\.1:9: \S/);
});
