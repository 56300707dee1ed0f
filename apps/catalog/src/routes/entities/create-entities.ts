import { Problem } from '@engawa/errors';
import {
  BulkReport,
  inParallel,
  jsonEntries,
  ndjson,
  route,
  bulkFailureFields,
  statusOf,
} from '@engawa/http';
import { entityId, entityTypeName, parseExactJson } from '@engawa/model';
import { monotonicFactory } from 'ulid';
import { z } from 'zod';
import { idempotencyKey, idOfEntry } from '../../bulk/idempotency-key.ts';
import { EntityIntake, existingModes } from '../../bulk/entity-intake.ts';
import { givenAttributes, givenRelations } from '../../entities/content/check-content.ts';
import type { Route } from '@engawa/http';
import type { CatalogParts } from '../../catalog-parts.ts';

const entriesAtOnce = 16;

/** Bytes. No more of it is held than the entries under way. */
const largestBulk = 1_000_000_000;

const unread = z.unknown().optional().describe('Not looked at: the service says it.');

const entry = z
  .strictObject({
    type: entityTypeName,
    id: entityId
      .optional()
      .describe(
        'Where it is missing, an id of 26 characters is made: a ULID, or one that the Idempotency-Key determines.',
      ),
    attributes: givenAttributes.optional(),
    relations: givenRelations.optional(),
    // What a list gives of an entity can be sent as it is.
    createdAt: unread,
    updatedAt: unread,
    version: unread,
    unconverted: unread,
  })
  .meta({ id: 'NewEntity' });

const shownReport = z.strictObject({
  entities: z.strictObject({
    created: z.int(),
    existing: z.int().describe('They were there already, and stay as they are.'),
    replaced: z.int().optional().describe('With `existing=replace`: they were there, and another.'),
    unchanged: z.int().optional().describe('With `existing=replace`: they were there like this.'),
  }),
  ...bulkFailureFields,
});

export function createEntities({ types, entities }: CatalogParts): Route {
  const newId = monotonicFactory();
  return route({
    method: 'post',
    path: '/v1/entities',
    operationId: 'createEntities',
    summary: 'Create entities, as many as you like',
    description:
      'One entity, an array of them, or one a line (NDJSON), read as they come. An entity may relate to those that stand before it. What is there already stays as it is; with `existing=replace` each entry is put, as by PUT. After a problem, or no answer, send all of it again: what was made is found by its id, so give ids, or an Idempotency-Key. With `existing=replace` that also undoes what others have changed in between.',
    tags: ['entities'],
    query: z.strictObject({
      existing: z
        .enum(existingModes)
        .prefault('keep')
        .describe('What becomes of entities that are there already.'),
    }),
    headers: z.object({ 'idempotency-key': idempotencyKey.optional() }),
    streamed: {
      types: { [ndjson]: entry, 'application/json': z.union([entry, z.array(entry)]) },
      maxBytes: largestBulk,
    },
    responses: { 200: { description: 'What became of the entries.', schema: shownReport } },
    problems: ['table-throttled', 'not-supported-by-table', 'table-unavailable'],
    handle: async ({ query: { existing }, headers, stream, signal }) => {
      const key = headers['idempotency-key'];
      const report = new BulkReport();
      const counts = { created: 0, existing: 0, replaced: 0, unchanged: 0 };
      const intake = new EntityIntake({ types, entities });
      const lines = jsonEntries(stream, { parse: parseExactJson });
      await inParallel(lines, entriesAtOnce, async (line) => {
        signal.throwIfAborted();
        const given = report.validate(line, entry);
        if (given === undefined) return;
        const { type, attributes, relations } = given;
        const id = given.id ?? (key === undefined ? newId() : idOfEntry(key, line.line, given));
        try {
          counts[await intake.take({ type, id }, { attributes, relations }, existing)] += 1;
        } catch (error) {
          report.reject(line.line, refusalOf(error));
        }
      });
      const { created, existing: kept, ...others } = counts;
      const shown = { created, existing: kept, ...(existing === 'replace' && others) };
      return { status: 200, body: { entities: shown, ...report.toBody() } };
    },
  });
}

/** What is wrong with the entry, in words; what is not its own fault ends the request. */
function refusalOf(error: unknown): string {
  if (!(error instanceof Problem) || statusOf[error.code] >= 500) throw error;
  const { fieldErrors: faults, message } = error;
  if (faults.length === 0) return message;
  // Of a line, not of the body, which is all of them.
  return faults.map(({ path, message }) => `${path.replace(/^body\./, '')}: ${message}`).join('; ');
}
