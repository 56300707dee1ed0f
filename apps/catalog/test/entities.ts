import { attributeIndexId, attributePartition, entityPartition } from '@engawa/keys';
import { queryAll } from '@engawa/table';
import type { Document } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { TestResponse, Catalog } from './catalog.ts';

/** So long that no poll, and no build of a declared type, is in a count of requests. */
export const quiet = {
  TYPE_SETTLE_MS: '600000',
  TYPE_REFRESH_MS: '600000',
  FULL_TEXT_REFRESH_MS: '600000',
  TASK_REFRESH_MS: '600000',
};

/** Two types with all kinds of relations: from tracks to one artist, to many artists, and to other tracks. */
export const artist = {
  attributes: [{ name: 'name', kind: 'text', required: true }],
  searches: [{ name: 'byName', parts: [{ attribute: 'name', as: 'collated' }] }],
};
export const track = {
  attributes: [
    { name: 'title', kind: 'text', required: true },
    { name: 'released', kind: 'number' },
    { name: 'plays', kind: 'number' },
    { name: 'likes', kind: 'number' },
    { name: 'recorded', kind: 'instant' },
    { name: 'live', kind: 'boolean' },
    { name: 'changedAt', kind: 'instant', automatic: 'updated' },
    { name: 'madeAt', kind: 'instant', automatic: 'created' },
  ],
  relations: [
    { name: 'artist', to: 'Artist', many: false },
    { name: 'featuring', to: 'Artist', many: true },
    { name: 'covers', to: 'Track', many: true },
  ],
  searches: [
    { name: 'byTitle', parts: [{ attribute: 'title', as: 'collated' }] },
    { name: 'byArtistAndYear', parts: [{ relation: 'artist' }, { attribute: 'released' }] },
  ],
  rankings: [
    { name: 'byPlays', attribute: 'plays', direction: 'descending' },
    { name: 'byLikes', attribute: 'likes', direction: 'descending' },
  ],
  fullText: ['title'],
};

export async function declare(catalog: Catalog, types: Record<string, object>): Promise<void> {
  for (const [name, body] of Object.entries(types)) {
    const answer = await catalog.ask(`/v1/types/${encodeURIComponent(name)}`, {
      method: 'PUT',
      body,
    });
    if (answer.status > 201)
      throw new Error(`${name} is not taken: ${JSON.stringify(answer.body)}`);
  }
}

let names = 0;

/** A type name that no other test of the file has, so that tests share a service, and no entities. */
export function ownName(name: string): string {
  names += 1;
  return `${name}${names}`;
}

/** The type names of a test. */
export interface MusicTypes {
  Artist: string;
  Track: string;
}

/** Declares artists and tracks with type names of their own. */
export async function declareMusic(catalog: Catalog): Promise<MusicTypes> {
  const own = { Artist: ownName('Artist'), Track: ownName('Track') };
  await declare(catalog, { [own.Artist]: artist, [own.Track]: trackOf(own) });
  return own;
}

/** The type of tracks whose relations lead to these types. */
export function trackOf(own: MusicTypes): typeof track {
  const to = new Map<string, string>(Object.entries(own));
  const relations = track.relations.map((one) => ({ ...one, to: to.get(one.to) ?? one.to }));
  return { ...track, relations };
}

export function pathOf(type: string, id: string): string {
  return `/v1/entities/${encodeURIComponent(type)}/${encodeURIComponent(id)}`;
}

/** An entity to create. */
export interface EntityInput {
  attributes?: Record<string, unknown>;
  relations?: Record<string, unknown>;
}

export async function put(
  catalog: Catalog,
  [type, id]: readonly [string, string],
  body: EntityInput,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  return catalog.ask(pathOf(type, id), { method: 'PUT', body, headers });
}

/** Creates entities; all must be accepted. */
export async function make(
  catalog: Catalog,
  ...entities: (readonly [string, string, EntityInput])[]
): Promise<void> {
  for (const [type, id, body] of entities) {
    const answer = await put(catalog, [type, id], body);
    if (answer.status > 201) throw new Error(JSON.stringify(answer.body));
  }
}

/** Creates an entity of the type per id, with the id as its name, in one request; all must be accepted. */
export async function makeNamed(
  catalog: Catalog,
  type: string,
  ids: readonly string[],
): Promise<void> {
  const body = ids.map((id) => ({ type, id, attributes: { name: id } }));
  const { body: answer } = await catalog.ask('/v1/entities', { method: 'POST', body });
  const { created } = (answer as { entities: { created: number } }).entities;
  if (created !== ids.length) throw new Error(JSON.stringify(answer));
}

/** All items of an entity, sorted by key. */
export function itemsOf(table: Table, type: string, id: string): Promise<Document[]> {
  return queryAll(table, { pk: entityPartition({ type, id }), consistent: true });
}

/** The ids of a search or ranking in index order. */
export async function foundIn(table: Table, type: string, search: string): Promise<string[]> {
  const pk = attributePartition(0, type, search);
  const { items } = await table.query({ index: 'gsi2', pk });
  return items.map((item) => attributeIndexId(item['gsi2sk'] as string));
}
