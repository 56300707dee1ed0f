import { songs } from './seed-services.ts';
import type { ContractOperation } from './contract-operations.ts';
import type { RequestContext } from './generated-request.ts';
import type { SchemaContext } from './values-of-schema.ts';

const times = ['2026-11-01T00:00:00.000Z', '2026-11-22T12:00:00.000Z', '2026-11-25T00:00:00.000Z'];
const ids = {
  device: ['climate-1', 'other', 'third'],
  place: ['home', 'other'],
  room: ['hall', 'other'],
  type: ['Song', 'Song', 'Song', 'Album', 'Unused'],
};

/**
 * Types of requests that declare and delete types. Nothing else names `Spare`: the others nearly
 * always have entities, and a type with entities cannot be deleted.
 */
const declaredTypes = [...ids.type, 'Spare', 'Spare'];

/** Usual values of `{id}` by the first segment of a path; elsewhere any of them. */
const idsOfResource: Readonly<Record<string, readonly string[]>> = {
  devices: ids.device,
  places: ids.place,
  entities: ['song-1', 'song-2', 'other'],
};

/** A type, whose parts refer to each other by name. */
const typeParts: SchemaContext['known'] = {
  attributes: [
    [
      { name: 'title', kind: 'text' },
      { name: 'released', kind: 'number' },
      { name: 'until', kind: 'instant' },
      { name: 'code', kind: 'text', unique: true },
    ],
  ],
  relations: [[], songs.relations],
  searches: [[{ name: 'byTitle', parts: [{ attribute: 'title' }, { attribute: 'released' }] }]],
  rankings: [[{ name: 'byYear', attribute: 'released' }]],
  fullText: [[], ['title']],
  filters: [[], [{ attribute: 'released' }]],
  expires: [{ attribute: 'until' }],
  removed: [[]],
};

const entityParts: SchemaContext['known'] = {
  attributes: [{ title: 'Heroes', released: 1977, code: 'h1' }, { title: '居間' }, { released: 5 }],
  relations: [{}, { cover: 'song-1' }, { cover: 'song-1', versions: ['song-1', 'song-2'] }],
};

/** Targets that are rarely deleted, of a relation to many. */
const relationParts: SchemaContext['known'] = {
  add: [['song-1'], ['song-1', 'song-2']],
  remove: [['song-2']],
};

const correctionParts: SchemaContext['known'] = {
  from: times.slice(0, 1),
  to: times.slice(1, 2),
  at: times,
  fields: ['temperature', 'humidity'],
  readings: [{ time: times[0], fields: { temperature: 21.5 } }],
};

/** Ids that are usually deleted. Others are kept, since most operations need a device in a room of a place. */
const deletedIds: Readonly<Record<string, readonly string[]>> = {
  '/v1/devices/{id}': ['other', 'third'],
  '/v1/places/{id}': ['other'],
};

/** By method and first segment of a path. */
const wholeBodies: Readonly<Record<string, readonly object[]>> = {
  'put types': [songs],
  'post transactions': [
    {
      operations: [
        { operation: 'patch', type: 'Song', id: 'song-1', attributes: { released: 1978 } },
        { operation: 'put', type: 'Song', id: 'other', attributes: { title: 'Lodger' } },
      ],
    },
  ],
};

/** Names of relations that a path can have: only relations to many are changed by requests of their own. */
function relationsOf(path: string, method: string): string[] | undefined {
  if (!path.includes('/relations/')) return undefined;
  return method === 'get' ? ['cover', 'versions'] : ['versions'];
}

/** Few, so that requests meet each other's items. */
export function knownValues(
  { path, method }: ContractOperation,
  deadLetters: readonly string[],
): RequestContext['known'] {
  const resource = path.split('/')[2] ?? '';
  const anyId = Object.values(idsOfResource).flat();
  const usualIds = idsOfResource[resource] ?? [...anyId, ...deadLetters];
  return {
    parameters: {
      ...ids,
      type: resource === 'types' ? declaredTypes : ids.type,
      id: (method === 'delete' ? deletedIds[path] : undefined) ?? usualIds,
      code: ['invalid-request', 'overloaded'],
      other: ['song-1', 'song-2'],
      otherType: ids.type,
      correction: ['spike', 'reset', 'test'],
      from: times.slice(0, 2),
      to: times.slice(1),
      timeZone: ['UTC', 'Asia/Kolkata', 'America/New_York'],
      every: ['PT15M', 'PT1H', 'P1D'],
      name: relationsOf(path, method) ?? ['byTitle', 'byYear'],
      eq: ['Heroes'],
      relation: ['cover'],
      fields: ['temperature', 'temperature,humidity'],
      label: ['floor=2', 'floor'],
      attribute: ['code'],
      value: ['h1'],
      filter: ['released>=1977', 'released'],
      facet: ['released'],
      pk: ['DEVICE#climate-1', 'PLACE#home', 'LIST#DEVICE#0', 'E#Song#song-1', 'TYPE'],
      sk: ['DEVICE#climate-1', 'PLACE#home'],
      skPrefix: ['DEVICE', '#TS#'],
    },
    wholeBodies: wholeBodies[`${method} ${resource}`] ?? [],
    bodies: {
      ...ids,
      id: anyId,
      ids: deadLetters,
      day: [new Date().toISOString().slice(0, 10)],
      since: times,
      ...(path.includes('/corrections/') && correctionParts),
      labels: [{ floor: '2' }, { floor: '1', constructor: '' }],
      metadata: [{ bought: { year: 2024 } }, {}],
      ...(path.startsWith('/v1/types') && typeParts),
      ...(path.startsWith('/v1/entities') && entityParts),
      ...(path.includes('/relations/') && relationParts),
    },
  };
}
