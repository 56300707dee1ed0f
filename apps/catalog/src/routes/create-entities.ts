import { Problem } from '@engawa/errors';
import {
  EntryReport,
  inParallel,
  jsonEntries,
  ndjson,
  route,
  shownFailures,
  statusOf,
} from '@engawa/http';
import { entityId, entityTypeName, parseExactJson } from '@engawa/model';
import { monotonicFactory } from 'ulid';
import { z } from 'zod';
import { idempotencyKey, idOfEntry } from '../bulk/idempotency-key.ts';
import { EntityIntake } from '../bulk/entity-intake.ts';
import { givenAttributes, givenRelations } from '../entities/check-content.ts';
import type { Route } from '@engawa/http';
import type { CatalogParts } from '../catalog-parts.ts';

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
  })
  .meta({ id: 'NewEntity' });

const shownReport = z.strictObject({
  entities: z.strictObject({
    created: z.int(),
    existing: z.int().describe('They were there already, and stay as they are.'),
  }),
  ...shownFailures,
});

export function createEntities({ types, entities }: CatalogParts): Route {
  const newId = monotonicFactory();
  return route({
    method: 'post',
    path: '/v1/entities',
    operationId: 'createEntities',
    summary: 'Create entities, as many as you like',
    description:
      'One entity, an array of them, or one a line (NDJSON), read as they come. An entity may relate to those that stand before it. What is there already stays as it is. After a problem, or no answer, send all of it again: what was made is found by its id, so give ids, or an Idempotency-Key.',
    tags: ['entities'],
    headers: z.object({ 'idempotency-key': idempotencyKey.optional() }),
    streamed: {
      types: { [ndjson]: entry, 'application/json': z.union([entry, z.array(entry)]) },
      limit: largestBulk,
    },
    answers: { 200: { description: 'What became of the entries.', schema: shownReport } },
    problems: ['table-throttled', 'not-supported-by-table', 'table-unavailable'],
    handle: async ({ headers, stream, signal }) => {
      const key = headers['idempotency-key'];
      const report = new EntryReport();
      const counts = { created: 0, existing: 0 };
      const intake = new EntityIntake({ types, entities });
      const lines = jsonEntries(stream, { parse: parseExactJson });
      await inParallel(lines, entriesAtOnce, async (line) => {
        signal.throwIfAborted();
        const given = report.checked(line, entry);
        if (given === undefined) return;
        const { type, attributes, relations } = given;
        const id = given.id ?? (key === undefined ? newId() : idOfEntry(key, line.line, given));
        try {
          const isNew = await intake.take({ type, id }, { attributes, relations });
          counts[isNew ? 'created' : 'existing'] += 1;
        } catch (error) {
          report.refused(line.line, refusalOf(error));
        }
      });
      return { status: 200, body: { entities: counts, ...report.shown() } };
    },
  });
}

/** What is wrong with the entry, in words; what is not its own fault ends the request. */
function refusalOf(error: unknown): string {
  if (!(error instanceof Problem) || statusOf[error.code] >= 500) throw error;
  const { faults, message } = error;
  if (faults.length === 0) return message;
  // Of a line, not of the body, which is all of them.
  return faults.map(({ path, message }) => `${path.replace(/^body\./, '')}: ${message}`).join('; ');
}
