import type { CreateEntitiesInput, CreateEntitiesOutput } from '../generated/catalog.ts';
import type { CallOptions } from '../http/http-client.ts';
import type { EntityContent } from './entity-types.ts';
import type { CatalogMethods } from './entity-client.ts';

/** Without an id it gets one of 26 characters, a ULID. */
export type NewEntityOf<Declaration> = EntityContent<Declaration> & { id?: string };

export interface CreateAllOptions extends CallOptions {
  /** What becomes of entities that are there: they stay (`keep`, the default), or are put as by PUT. */
  existing?: 'keep' | 'replace';
  /** Entities of one request. */
  batchSize?: number;
}

export interface Creation {
  created: number;
  /** They were there, and stay. */
  existing: number;
  /** With `existing: 'replace'`: they were there, and another; they were there like this. */
  replaced: number;
  unchanged: number;
  /** They were refused. */
  failed: number;
  /** Why, of the first 100, by the place among all that were given, counted from 1. */
  errors: { line: number; message: string }[];
}

const maxErrors = 100;

/** As it is sent, but for the type. */
export type Entry = Readonly<Record<string, unknown>>;

/** Sends one batch after the other, and holds no more than one. An entity may relate to those before it. */
export async function createAll(
  catalog: CatalogMethods,
  type: string,
  entities: Iterable<Entry> | AsyncIterable<Entry>,
  { existing = 'keep', batchSize = 500, ...options }: CreateAllOptions,
): Promise<Creation> {
  const sum = { created: 0, existing: 0, replaced: 0, unchanged: 0, failed: 0 };
  const errors: Creation['errors'] = [];
  let before = 0;
  for await (const batch of batches(entities, batchSize)) {
    const body = batch.map((entity) => ({ ...entity, type })) as CreateEntitiesInput['body'];
    // With an id, an entity that was made already is found.
    const isSafeToRepeat = batch.every(({ id }) => id !== undefined);
    const answer = await catalog.createEntities({ existing, body }, { isSafeToRepeat, ...options });
    const offset = before;
    add(sum, answer.body);
    errors.push(...answer.body.errors.map((error) => ({ ...error, line: offset + error.line })));
    before += batch.length;
  }
  return { ...sum, errors: errors.slice(0, maxErrors) };
}

function add(sum: Omit<Creation, 'errors'>, { entities, failed }: CreateEntitiesOutput): void {
  sum.created += entities.created;
  sum.existing += entities.existing;
  sum.replaced += entities.replaced ?? 0;
  sum.unchanged += entities.unchanged ?? 0;
  sum.failed += failed;
}

async function* batches<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  size: number,
): AsyncGenerator<Item[]> {
  let batch: Item[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
