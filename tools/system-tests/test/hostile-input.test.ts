import { expectAnswer } from '@engawa/http';
import { blockItem, deviceItem } from '@engawa/model';
import { aDevice, aReading } from '@engawa/testing';
import { Services } from './services.ts';
import type { OpenApiDocument } from '@engawa/http';

type Json = Record<string, unknown>;

/** One operation of a contract, as far as it says what can be sent. */
interface Operation {
  service: keyof Services['urls'];
  method: string;
  path: string;
  query: string[];
  headers: string[];
  /** By media type, the names of the body's fields. */
  bodies: Map<string, string[]>;
}

const texts = [
  '',
  ' ',
  '0',
  '-1',
  '1e400',
  '99999999999999999999',
  'NaN',
  'null',
  '__proto__',
  'constructor',
  'toString',
  'home#DEVICE#x',
  'a/b',
  '$3',
  '\u0000',
  '\u202e',
  '\u{10ffff}',
  '\ud800',
  "' OR 1=1 --",
  '=HYPERLINK("http://x")',
  '-271821-04-20T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  'P1Y',
  'PT1H',
  '-PT1H',
  'P99999999999D',
  ',',
  '"1"',
  'x'.repeat(3000),
  '居間'.repeat(200),
];

const values: unknown[] = [
  ...texts,
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  [],
  {},
  [[[[]]]],
  { __proto__: 1, constructor: {} },
  ['a', 1],
];

/** Bodies that are no object with the right fields. */
const wholeBodies = [
  '',
  '{',
  'null',
  '[]',
  '"text"',
  '1',
  '{}',
  '[[]]',
  '{"__proto__": {"name": "x"}}',
  '['.repeat(100_000),
  '{"a":'.repeat(5000),
  '\ufeff{}',
  '{"name":"\\ud800"}',
  '{}\n{}\n[]\nnull\n"x"\n{"id":1}\n',
];

/** How often each status was answered. */
const statuses = new Map<number, number>();

let services: Services;
let contracts: Record<keyof Services['urls'], OpenApiDocument>;

beforeAll(async () => {
  services = await Services.start();
  const contractOf = async (url: string) =>
    (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;
  const { ingestion, registry, query } = services.urls;
  contracts = {
    ingestion: await contractOf(ingestion),
    registry: await contractOf(registry),
    query: await contractOf(query),
  };
});

afterAll(() => services.close());

/** What there is, so that what lies behind the checks is reached, too. */
async function furnish(): Promise<void> {
  const device = aDevice({ id: 'climate-1' });
  await services.table.put(deviceItem(device, { list: 1, seen: 1 }));
  await services.table.put(blockItem({ device: device.id, readings: [aReading()] }));
  const put = (path: string, body: object) =>
    fetch(services.urls.registry + path, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await put('/v1/places/home', { name: 'Home' });
  await put('/v1/rooms/home/hall', { name: 'Hall' });
  await put('/v1/places/home/devices/climate-1', { room: 'hall' });
}

/** Values of path parameters that are there, by the name of the parameter. */
const usualIds: Record<string, string> = { place: 'home', room: 'hall', device: 'climate-1' };

function usualPath({ path }: Operation): string {
  const owner = path.startsWith('/v1/places') ? 'home' : 'climate-1';
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => usualIds[name] ?? owner);
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
  // What deletes comes last: the others want something to be there.
  return all.toSorted((a, b) => Number(a.method === 'delete') - Number(b.method === 'delete'));
}

/** The names of all fields in a schema, at any depth. */
function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'properties' in schema ? Object.keys(schema.properties as Json) : [];
  return [...new Set([...own, ...Object.values(schema).flatMap(fieldsOf)])];
}

/** What is sent beside the address. */
interface Sent {
  headers?: Record<string, string>;
  body?: string;
}

async function send(operation: Operation, path: string, request: Sent = {}): Promise<void> {
  const { service, method } = operation;
  const url = services.urls[service] + path;
  const answer = await fetch(url, { method: method.toUpperCase(), ...request });
  const { status } = answer;
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const what = `${method} ${path} ${(request.body ?? '').slice(0, 200)}`;
  if (status >= 500) throw new Error(`${status} for ${what}: ${await answer.text()}`);
  // A path that is no operation's own is answered by no contract.
  if (status === 404 && !(answer.headers.get('content-type') ?? '').includes('json')) return;
  await expectAnswer(contracts[service], answer, method);
}

const hostile = texts.map((text) => text.toWellFormed());

it('no parameter of any route, whatever it is, makes a fault', async () => {
  await furnish();
  for (const operation of operations()) {
    const { path, query, headers } = operation;
    const usual = usualPath(operation);
    for (const text of hostile) {
      const segment = encodeURIComponent(text);
      for (const name of query) await send(operation, `${usual}?${name}=${segment}`);
      for (const name of headers.filter(() => /^[\x20-\x7e]*$/.test(text))) {
        await send(operation, usual, { headers: { [name]: text } });
      }
      // A parameter of the path that is empty or a dot is another path.
      if (text === '' || !path.includes('{')) continue;
      await send(operation, path.replaceAll(/\{\w+\}/g, segment));
    }
  }
}, 300_000);

it('no body of any route, whatever is in it, makes a fault', async () => {
  await furnish();
  for (const operation of operations()) {
    const path = usualPath(operation);
    for (const [type, fields] of operation.bodies) {
      const headers = { 'content-type': type };
      for (const body of wholeBodies) await send(operation, path, { headers, body });
      for (const field of fields) {
        for (const value of values) {
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
}, 300_000);

it('and much of it was good enough to be answered', () => {
  expect(statuses.get(200)).toBeGreaterThan(200);
  expect(statuses.get(400)).toBeGreaterThan(2000);
});
