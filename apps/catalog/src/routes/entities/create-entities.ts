import {
  BulkReport,
  inParallel,
  jsonEntries,
  ndjson,
  route,
  bulkFailureFields,
  isAboutEntry,
} from '@engawa/http';
import { entityId, entityTypeName, parseExactJson } from '@engawa/model';
import { monotonicFactory } from 'ulid';
import { z } from 'zod';
import { idempotencyKey, idOfEntry } from '../../bulk/idempotency-key.ts';
import { BulkImport } from '../../bulk/bulk-import.ts';
import { BulkWriter, existingModes } from '../../bulk/bulk-writer.ts';
import { attributesInput, relationsInput } from '../../entities/content/check-content.ts';
import { serviceProperties } from '../../entities/content/service-properties.ts';
import type { Route } from '@engawa/http';
import type { BulkOutcome } from '../../bulk/bulk-writer.ts';
import type { CatalogParts } from '../../catalog-parts.ts';

const maxParallelEntries = 16;

/** The body is streamed: only the entries being written are in memory. */
export const maxBulkBytes = 1_000_000_000;

const entry = z
  .strictObject({
    type: entityTypeName,
    id: entityId
      .optional()
      .describe(
        'If missing, an id of 26 characters is generated: a ULID, or a hash of the Idempotency-Key and the entry.',
      ),
    attributes: attributesInput.optional(),
    relations: relationsInput.optional(),
    // So that an entity from a list can be sent back unchanged.
    ...serviceProperties,
  })
  .meta({ id: 'NewEntity' });

const bulkOutput = z.strictObject({
  entities: z.strictObject({
    created: z.int(),
    existing: z.int().describe('Entities that existed and were kept.'),
    replaced: z.int().optional().describe('With `existing=replace`: entities that were replaced.'),
    unchanged: z
      .int()
      .optional()
      .describe('With `existing=replace`: entities that had this content already.'),
  }),
  ...bulkFailureFields,
});

const problems: Route['problems'] = [
  'too-many-conflicts',
  'table-throttled',
  'not-supported-by-table',
  'table-unavailable',
];

const description =
  'The body is one entity, an array of entities, or NDJSON with one entity per line; it is processed as it arrives. An entity may relate to any entity of the body, before or after it: relations to entities that do not exist are refused when the body is complete. Existing entities are kept; with `existing=replace` each entry replaces the entity like PUT. The properties that the service sets are compared with those of an entity that has the same `createdAt`; an entry with another `createdAt`, or none, is from elsewhere, and they are ignored. After an error or a lost response, send the whole body again: entities are identified by their ids, so give each an id, or send an Idempotency-Key. With `existing=replace`, a retry also overwrites changes that other clients made in the meantime.';

export function createEntities({ table, types, entities }: CatalogParts): Route {
  const newId = monotonicFactory();
  return route({
    method: 'post',
    path: '/v1/entities',
    operationId: 'createEntities',
    summary: 'Create many entities in one request',
    description,
    tags: ['entities'],
    query: z.strictObject({
      existing: z
        .enum(existingModes)
        .prefault('keep')
        .describe('Whether existing entities are kept or replaced.'),
    }),
    headers: z.object({ 'idempotency-key': idempotencyKey.optional() }),
    streamed: {
      types: { [ndjson]: entry, 'application/json': z.union([entry, z.array(entry)]) },
      maxBytes: maxBulkBytes,
    },
    responses: {
      200: { description: 'How many entries were written, and which failed.', schema: bulkOutput },
    },
    problems,
    handle: async ({ query: { existing }, headers, stream, signal }) => {
      const key = headers['idempotency-key'];
      const report = new BulkReport();
      const counts = { created: 0, existing: 0, replaced: 0, unchanged: 0 };
      const listener = {
        written: (outcome: BulkOutcome) => void (counts[outcome] += 1),
        refused: (line: number, error: unknown) => report.reject(line, refusalOf(error)),
      };
      const writer = new BulkWriter({ types, entities });
      const bulk = new BulkImport({ table, writer, mode: existing, listener });
      const lines = jsonEntries(stream, { parse: parseExactJson });
      await inParallel(lines, maxParallelEntries, async (line) => {
        signal.throwIfAborted();
        const valid = report.validate(line, entry);
        if (valid === undefined) return;
        const { type, id: named, ...given } = valid;
        const id = named ?? (key === undefined ? newId() : idOfEntry(key, line.line, valid));
        await bulk.write({ line: line.line, name: { type, id }, given });
      });
      await bulk.finish();
      const { created, existing: kept, ...others } = counts;
      const entityCounts = { created, existing: kept, ...(existing === 'replace' && others) };
      return { status: 200, body: { entities: entityCounts, ...report.toBody() } };
    },
  });
}

/** The error message of one entry. @throws the error where it is not about the entry: it fails the request */
function refusalOf(error: unknown): string {
  if (!isAboutEntry(error)) throw error;
  const { fieldErrors, message } = error;
  if (fieldErrors.length === 0) return message;
  // Paths within the entry: the body has all entries.
  return fieldErrors
    .map(({ path, message }) => `${path.replace(/^body\./, '')}: ${message}`)
    .join('; ');
}
