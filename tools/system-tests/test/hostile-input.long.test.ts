import { expectResponse } from '@engawa/http';
import { readContracts } from './contracts/contract-operations.ts';
import { seedServices } from './contracts/seed-services.ts';
import { hostileTexts, hostileValues, wholeBodies } from './hostile-values.ts';
import { Services } from './services.ts';
import type { Contracts } from './contracts/contract-operations.ts';

type Json = Record<string, unknown>;

/** The inputs of an operation of a contract. */
interface Operation {
  service: keyof Services['urls'];
  method: string;
  path: string;
  query: string[];
  headers: string[];
  /** By media type, the names of the body's fields. */
  bodies: Map<string, string[]>;
}

/** Number of responses by status. */
const statuses = new Map<number, number>();

let services: Services;
let contracts: Contracts;

beforeAll(async () => {
  services = await Services.start();
  contracts = await readContracts(services);
});

afterAll(() => services.close());

/** Existing values of path parameters, by name. */
const usualIds: Record<string, string> = {
  place: 'home',
  room: 'hall',
  device: 'climate-1',
  type: 'Song',
  otherType: 'Song',
};

function usualPath({ service, path }: Operation): string {
  const owner = path.startsWith('/v1/places') ? 'home' : 'climate-1';
  const ids =
    service === 'catalog'
      ? { ...usualIds, id: 'song-1', name: path.startsWith('/v1/rankings') ? 'byYear' : 'byTitle' }
      : usualIds;
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    return ids[name] ?? owner;
  });
}

function operations(): Operation[] {
  const all = Object.entries(contracts).flatMap(([service, { paths }]) =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters, requestBody }]): Operation => {
        const named = (place: string) =>
          parameters.filter((each) => each['in'] === place).map((each) => String(each['name']));
        const content = (requestBody?.['content'] ?? {}) as Record<string, { schema: Json }>;
        return {
          service: service as Operation['service'],
          method,
          path,
          query: named('query'),
          headers: named('header'),
          bodies: new Map(
            Object.entries(content).map(([type, { schema }]) => [type, fieldsOf(schema)]),
          ),
        };
      }),
    ),
  );
  // Deletions come last, since other operations need existing things.
  return all.toSorted((a, b) => Number(a.method === 'delete') - Number(b.method === 'delete'));
}

/** The names of all fields in a schema, at any depth. */
function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'properties' in schema ? Object.keys(schema.properties as Json) : [];
  return [...new Set([...own, ...Object.values(schema).flatMap(fieldsOf)])];
}

/** Headers and body of a request. */
interface RequestContent {
  headers?: Record<string, string>;
  body?: string;
}

async function send(
  operation: Operation,
  path: string,
  request: RequestContent = {},
): Promise<void> {
  const { service, method } = operation;
  const url = services.urls[service] + path;
  const answer = await fetch(url, { method: method.toUpperCase(), ...request });
  const { status } = answer;
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const what = `${method} ${path} ${(request.body ?? '').slice(0, 200)}`;
  if (status >= 500) throw new Error(`${status} for ${what}: ${await answer.text()}`);
  // A path of no operation has no contract.
  if (status === 404 && !(answer.headers.get('content-type') ?? '').includes('json')) return;
  await expectResponse(contracts[service], answer, method);
}

const hostile = hostileTexts.map((text) => text.toWellFormed());

it("no value of any route's parameters causes an internal error", async () => {
  await seedServices(services);
  for (const operation of operations()) {
    const { path, query, headers } = operation;
    const usual = usualPath(operation);
    for (const text of hostile) {
      const segment = encodeURIComponent(text);
      for (const name of query) await send(operation, `${usual}?${name}=${segment}`);
      for (const name of headers.filter(() => /^[\x20-\x7e]*$/.test(text))) {
        await send(operation, usual, { headers: { [name]: text } });
      }
      // An empty path parameter, or one of dots, changes the path.
      if (text === '' || !path.includes('{')) continue;
      await send(operation, path.replaceAll(/\{\w+\}/g, segment));
    }
  }
});

it('no body sent to any route causes an internal error', async () => {
  await seedServices(services);
  for (const operation of operations()) {
    const path = usualPath(operation);
    for (const [type, fields] of operation.bodies) {
      const headers = { 'content-type': type };
      for (const body of wholeBodies) await send(operation, path, { headers, body });
      for (const field of fields) {
        for (const value of hostileValues) {
          const rest = { id: 'fuzzed', name: 'Fuzzed', device: 'fuzzed' };
          await send(operation, path, { headers, body: JSON.stringify({ [field]: value }) });
          await send(operation, path, {
            headers,
            body: JSON.stringify({ ...rest, [field]: value }),
          });
        }
      }
    }
  }
});

it('many hostile requests were valid and answered', () => {
  expect(statuses.get(200)).toBeGreaterThan(200);
  expect(statuses.get(400)).toBeGreaterThan(2000);
});
