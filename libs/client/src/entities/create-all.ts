import { withoutTag } from './tagged.ts';
import type { CreateEntitiesInput, CreateEntitiesOutput } from '../generated/catalog.ts';
import type { CallOptions } from '../http/http-client.ts';
import type { TypeDeclaration } from './declare-type.ts';
import type { EntityContent, EntityOf } from './entity-types.ts';
import type { CatalogMethods } from './catalog-methods.ts';

/** Without an id the service assigns a ULID of 26 characters. */
export type NewEntityOf<Declaration extends TypeDeclaration> =
  (EntityContent<Declaration> & { id?: string }) | EntityOf<Declaration>;

export interface CreateAllOptions extends CallOptions {
  /** For existing entities: `keep` (the default) leaves them unchanged, `replace` puts them as by PUT. */
  existing?: 'keep' | 'replace';
  /** Maximum entities per request. */
  batchSize?: number;
}

export interface Creation {
  created: number;
  /** Existing entities left unchanged. */
  existing: number;
  /** With `existing: 'replace'`: existing entities with other content; existing entities with equal content. */
  replaced: number;
  unchanged: number;
  /** Rejected entities. */
  failed: number;
  /** Reasons of the first 100 rejections, by the entity's position among all given entities, from 1. */
  errors: { line: number; message: string }[];
}

const maxErrors = 100;

/** An entity of the request body, without its type. */
export type EntityInput = Readonly<Record<string, unknown>>;

/** Sends one batch after the other, with one batch in memory. An entity may relate to earlier ones. */
export async function createAll(
  catalog: CatalogMethods,
  type: string,
  entities: Iterable<EntityInput> | AsyncIterable<EntityInput>,
  { existing = 'keep', batchSize = 500, ...options }: CreateAllOptions,
): Promise<Creation> {
  const sum = { created: 0, existing: 0, replaced: 0, unchanged: 0, failed: 0 };
  const errors: Creation['errors'] = [];
  let before = 0;
  for await (const batch of batches(entities, batchSize)) {
    const body = batch.map((entity) => ({
      ...withoutTag(entity),
      type,
    })) as CreateEntitiesInput['body'];
    // A retry finds entities by their ids.
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
