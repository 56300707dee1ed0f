import { openBeforeAll, until } from '@engawa/testing';
import { Services } from '../services.ts';
import { day, seedLists, start } from './seed-lists.ts';
import type { OpenApiDocument } from '@engawa/http';

type ServiceName = keyof Services['urls'];
type Json = Record<string, unknown>;

interface List {
  service: ServiceName;
  operationId: string;
  path: string;
  parameters: Json[];
  answer: Json;
}

const serviceNames = ['ingestion', 'registry', 'query', 'catalog'] as const;
const range = `from=${start}&to=${start + 3000}`;
const buckets = `every=PT1M&from=${start - 180_000}&to=${start}`;

/** Requests of each operation with a limit. */
const questions: Record<string, string> = {
  listDeadLetters: `/v1/deadLetters?day=${day}`,
  listDevices: '/v1/devices?order=lastSeen',
  listPlacements: '/v1/devices/a/placements?',
  listCorrections: '/v1/devices/a/corrections?',
  listPlaces: '/v1/places?',
  getPlace: '/v1/places/a?',
  listDevicesOfPlace: '/v1/places/a/devices?',
  listRoomsOfPlace: '/v1/places/a/rooms?',
  listRooms: '/v1/rooms?',
  getRoom: '/v1/rooms/a/a?',
  getLatest: '/v1/devices/a/latest?',
  getLatestOfMany: '/v1/latest?device=a&device=b&device=c',
  getRoomLatest: '/v1/rooms/a/a/latest?',
  getPlaceLatest: '/v1/places/a/latest?',
  getFields: `/v1/devices/a/fields?from=${start}`,
  getRoomFields: `/v1/rooms/a/a/fields?from=${start}`,
  getPlaceFields: `/v1/places/a/fields?from=${start}`,
  getReadings: `/v1/devices/a/readings?${range}`,
  getRoomReadings: `/v1/rooms/a/a/readings?${range}`,
  getPlaceReadings: `/v1/places/a/readings?${range}`,
  getAggregates: `/v1/devices/a/aggregates?${buckets}`,
  getRoomAggregates: `/v1/rooms/a/a/aggregates?${buckets}`,
  getPlaceAggregates: `/v1/places/a/aggregates?${buckets}`,
  getTableItems: '/v1/table/items?pk=PLACE%23a',
  listTypes: '/v1/types?',
  listEntities: '/v1/entities/Song?',
  getEntity: '/v1/entities/Song/all?',
  listRelated: '/v1/entities/Song/all/related/Song?direction=forward',
  listAllRelated: '/v1/entities/Song/all/related?direction=forward',
  searchEntities: '/v1/search/Song/byTitle?eq=Heroes',
  getRanking: '/v1/rankings/Song/byYear?',
  searchTexts: '/v1/search?q=heroes&type=Song&order=released',
  getHotPartitions: '/v1/hot-partitions?',
  getMergedHotPartitions: '/v1/hot-partitions/merged?',
  getHotPartitionHistory: '/v1/hot-partitions/history?resolution=minute',
  getMergedHotPartitionHistory: '/v1/hot-partitions/history/merged?resolution=minute',
};

/** Single resources with parts, and reports: their lists have their own names, and the limit applies to these. */
const ownNames: Record<string, string[]> = {
  getPlace: ['devices', 'rooms'],
  getRoom: ['devices'],
  getEntity: ['relations', 'relationParts'],
  getFields: ['fields'],
  getLatest: ['readings'],
  getHotPartitions: ['partitions'],
  getMergedHotPartitions: ['partitions'],
  getHotPartitionHistory: ['rows'],
  getMergedHotPartitionHistory: ['rows'],
};

/** Lists without a cursor: they have one page only (docs/http.md). */
const onePage = [
  'getLatest',
  'getHotPartitions',
  'getMergedHotPartitions',
  'getHotPartitionHistory',
  'getMergedHotPartitionHistory',
];

const services = openBeforeAll(() => Services.start());
let lists: List[];
beforeAll(async () => {
  const ofEach = serviceNames.map((service) => listsOf(service, services.urls[service]));
  lists = (await Promise.all(ofEach)).flat();
  await seedLists(services);
  // The delay of indexes.
  await until('the songs to be found', async () => {
    const { items } = await ask('catalog', '/v1/search?q=heroes');
    return (items as unknown[]).length === 3;
  });
});

async function listsOf(service: ServiceName, url: string): Promise<List[]> {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;
  return Object.entries(paths).flatMap(([path, { get }]) => {
    const schema = get?.responses['200']?.content?.['application/json']?.schema;
    if (get === undefined || schema === undefined) return [];
    const { operationId, parameters } = get;
    return [{ service, operationId, path, parameters, answer: schema }];
  });
}

async function ask(service: ServiceName, path: string): Promise<Json> {
  const answer = await fetch(services.urls[service] + path);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${text}`);
  return JSON.parse(text) as Json;
}

/** The items of each page. */
async function walk({ service, operationId }: List, limit: string): Promise<unknown[][]> {
  const pages: unknown[][] = [];
  let cursor: unknown = '';
  while (typeof cursor === 'string') {
    const next = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const body = await ask(service, `${questions[operationId] ?? ''}${limit}${next}`);
    pages.push((ownNames[operationId] ?? ['items']).flatMap((name) => entriesOf(body[name])));
    cursor = body['cursor'];
    if (pages.length > 100) throw new Error(`${operationId}: a list without end`);
  }
  return pages;
}

/** Relations to many are lists by name. */
function entriesOf(list: unknown): unknown[] {
  return Array.isArray(list) ? list : Object.values(list ?? {}).flat();
}

const namesIn = (schema: Json) => Object.keys(schema['properties'] ?? {});
const limitOf = ({ parameters }: List) => parameters.find(({ name }) => name === 'limit');
const named = (listed: readonly List[]) =>
  [...new Set(listed.map(({ operationId }) => operationId))].sort();

describe('every list of every service', () => {
  it('names its list `items`, except for single resources', () => {
    const paged = lists.filter(({ answer }) => namesIn(answer).includes('cursor'));
    expect(paged.length).toBeGreaterThan(20);
    for (const { operationId, answer } of paged) {
      const names = namesIn(answer);
      const expected = ownNames[operationId] ?? ['items'];
      expect([operationId, names]).toEqual([operationId, expect.arrayContaining(expected)]);
    }
  });

  it('accepts a limit from 1 to 1,000 when it has a cursor', () => {
    const paged = lists.filter(({ answer }) => namesIn(answer).includes('cursor'));
    for (const list of paged) {
      const { operationId } = list;
      const schema = { minimum: 1, maximum: 1000 };
      expect([operationId, limitOf(list)]).toEqual([
        operationId,
        expect.objectContaining({ schema: expect.objectContaining(schema) as unknown }),
      ]);
    }
    expect(named(lists.filter((list) => limitOf(list) !== undefined))).toEqual(
      Object.keys(questions).sort(),
    );
  });

  it('returns one item per page with limit=1, and all items by its cursors', async () => {
    const several = new Set<string>();
    for (const list of lists.filter((each) => limitOf(each) !== undefined)) {
      const { operationId } = list;
      const pages = await walk(list, '&limit=1');
      const longest = Math.max(...pages.map(({ length }) => length));
      expect([operationId, longest]).toEqual([operationId, 1]);
      if (onePage.includes(operationId)) continue;
      const whole = (await walk(list, '')).flat();
      expect([operationId, pages.flat()]).toEqual([operationId, whole]);
      if (whole.length > 1) several.add(operationId);
    }
    expect([...several].sort()).toEqual(
      Object.keys(questions)
        .filter((operationId) => !onePage.includes(operationId))
        .sort(),
    );
  });
});
