import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, request as ask } from 'node:http';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { version } from '@engawa/service';
import fc from 'fast-check';
import { Services } from '../services.ts';
import { consoleRoutes, matches, ownersOf, routingTable } from './routing-table.ts';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OpenApiDocument } from '@engawa/http';
import type { ServiceRoutes } from './routing-table.ts';

type ServiceName = keyof Services['urls'];

const workspace = resolve(__dirname, '../../../..');
const document = resolve(workspace, 'charts/engawa/files/routes.json');
const pages = resolve(workspace, 'apps/console/web/pages/pages.ts');
const names = ['ingestion', 'registry', 'query', 'catalog'] as const;

let services: Services;
let contracts: Record<string, OpenApiDocument>;
let table: ServiceRoutes[];
let entry: Server;
beforeAll(async () => {
  services = await Services.start();
  const documents = names.map(async (name) => {
    const answer = await fetch(`${services.urls[name]}/openapi.json`);
    return [name, (await answer.json()) as OpenApiDocument] as const;
  });
  contracts = Object.fromEntries(await Promise.all(documents));
  table = routingTable(contracts);
  entry = startEntry().listen(0, '127.0.0.1');
  await once(entry, 'listening');
});
afterAll(async () => {
  entry.close();
  entry.closeAllConnections();
  await services.close();
});

it('every contract has the version of Engawa', () => {
  expect(Object.values(contracts).map(({ info }) => info.version)).toEqual(
    names.map(() => version),
  );
});

/** The services to which a path is routed. */
function servicesOf(path: string): string[] {
  return table
    .filter((rules) => rules.matches.some((match) => matches(match, path)))
    .map(({ service }) => service);
}

/** A proxy that uses only the routing table. */
function startEntry(): Server {
  return createServer((request, response) => {
    const { method, headers, url = '' } = request;
    const [path = ''] = url.split('?');
    const [service] = servicesOf(path);
    if (service === undefined) {
      response.writeHead(404).end();
      return;
    }
    const target = services.urls[service as ServiceName] + url;
    const forwarded = ask(target, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      // Before the first event of a stream, which may be 15 s later.
      response.flushHeaders();
      answer.pipe(response);
    });
    forwarded.on('error', () => response.writeHead(502).end());
    request.pipe(forwarded);
  });
}

/** Ids, also ones that equal path segments or contain a slash. */
const id = fc.oneof(
  fc.constantFrom('latest', 'readings', 'placements', 'devices', 'a/b', 'merged', '居間'),
  fc.string({ minLength: 1, maxLength: 20 }).filter((text) => /^[^\p{Cc}.]+$/u.test(text)),
);

const filled = (template: string, ids: readonly string[]) => {
  let next = 0;
  return template.replaceAll(/\{\w+\}/g, () => encodeURIComponent(ids[next++ % ids.length] ?? ''));
};

describe('one host for all services', () => {
  it('has each path template at one service', () => {
    const owners = ownersOf(contracts);
    expect(owners.size).toBeGreaterThan(40);
    for (const [template, owner] of owners) {
      expect([template, servicesOf(filled(template, ['a']))]).toEqual([template, [owner]]);
    }
  });

  it('routes every path to one service, with any ids', () => {
    const templates = [...ownersOf(contracts)];
    const some = fc.record({
      of: fc.constantFrom(...templates),
      ids: fc.array(id, { minLength: 1, maxLength: 3 }),
    });
    fc.assert(
      fc.property(some, ({ of: [template, owner], ids }) => {
        expect(servicesOf(filled(template, ids))).toEqual([owner]);
      }),
      { numRuns: 2000 },
    );
  });

  it("routes no address of a service's own endpoints", () => {
    const heat = ['/v1/hot-partitions', '/v1/hot-partitions/history'];
    for (const path of [...heat, '/openapi.json', '/docs', '/', '/v1', '/v1/device']) {
      expect([path, servicesOf(path)]).toEqual([path, []]);
    }
  });

  it('returns the responses of all services', async () => {
    const { port } = entry.address() as AddressInfo;
    const host = `http://127.0.0.1:${port}`;
    const headers = { 'content-type': 'application/json', 'x-request-id': 'the-same' };
    const put = (path: string, body: object) =>
      fetch(host + path, { method: 'PUT', headers, body: JSON.stringify(body) });
    expect((await put('/v1/places/a', { name: 'Home' })).status).toBe(201);
    expect((await put('/v1/rooms/a/a', { name: 'Hall' })).status).toBe(201);
    expect((await put('/v1/types/a', {})).status).toBe(201);
    const body = JSON.stringify({ device: 'a', level: 1 });
    expect((await fetch(`${host}/v1/readings`, { method: 'POST', headers, body })).ok).toBe(true);
    const seen = new Set<number>();
    for (const [template, owner] of ownersOf(contracts)) {
      const path = filled(template, ['a']);
      const [there, here] = await Promise.all(
        [host, services.urls[owner as ServiceName]].map(async (url) => {
          const answer = await fetch(url + path, { headers });
          return { path, status: answer.status, type: answer.headers.get('content-type') };
        }),
      );
      expect(there).toEqual(here);
      seen.add(there?.status ?? 0);
    }
    expect([...seen].sort()).toEqual(expect.arrayContaining([200, 404, 405]));
  });

  it('routes no path of a service to the console, and each of its pages', () => {
    const ofConsole = consoleRoutes(readFileSync(pages, 'utf8'));
    const isOfConsole = (path: string) => ofConsole.matches.some((match) => matches(match, path));
    expect(ofConsole.matches.length).toBeGreaterThan(8);
    expect(['/', '/house', '/api/query/v1/devices', '/assets/a.js'].map(isOfConsole)).not.toContain(
      false,
    );
    const templates = [...ownersOf(contracts).keys()];
    expect(templates.filter((template) => isOfConsole(filled(template, ['a'])))).toEqual([]);
  });

  it('is in charts/engawa/files/routes.json (else: run this with UPDATE_REFERENCE=1)', () => {
    const all = [...table, consoleRoutes(readFileSync(pages, 'utf8'))];
    const text = `${JSON.stringify(all, undefined, 2)}\n`;
    if (process.env['UPDATE_REFERENCE'] === '1') writeFileSync(document, text);
    expect(readFileSync(document, 'utf8')).toBe(text);
  });
});
