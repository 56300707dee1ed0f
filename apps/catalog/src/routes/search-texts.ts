import { integerParameter, repeatedParameter, route } from '@engawa/http';
import { entityKey } from '@engawa/keys';
import { entityTypeName, parseEntity } from '@engawa/model';
import { z } from 'zod';
import { shownEntity, showEntity } from '../entities/entity-schemas.ts';
import type { Budget, Route } from '@engawa/http';
import type { Entity } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { FullText } from '../full-text/full-text.ts';
import type { FoundEntity } from '../full-text/text-index.ts';
import type { KnownTypes } from '../types/known-types.ts';

export interface SearchTextsOptions {
  table: Table;
  types: KnownTypes;
  fullText: FullText;
}

const description = [
  'Looks into the attributes that types name under `fullText`. All words of `q` have to be in the texts of an entity, in any',
  'order, without regard to case, width (ｻｰﾓ, サーモ) and accents of Latin letters; of the last one the beginning is enough.',
  'Where a script puts no spaces (居間の照明), any two neighbouring characters are a word. Where nothing is found, Latin words',
  'of five letters and more may differ in one. The embedded index looks into the first 65,536 characters of an entity.',
  '',
  'What was stored by `asOf` is found as it was then; later changes may be or not. The best come first, and there is no next',
  'page: ask for more words.',
].join('\n');

const query = z.strictObject({
  q: z
    .string()
    .min(1)
    .max(200)
    .describe('What to look for; of punctuation alone nothing is found.'),
  type: repeatedParameter(entityTypeName, { maximum: 20 })
    .optional()
    .describe('Only entities of these types; without it, of all.'),
  limit: integerParameter({ minimum: 1, maximum: 100 })
    .prefault(20)
    .describe('How many to give at most.'),
  whole: z
    .enum(['true', 'false'])
    .default('false')
    .transform((given) => given === 'true')
    .describe(
      'With the entities themselves, as they are in the table now; those that are gone by now are left out.',
    ),
});

const answer = z.strictObject({
  items: z.array(
    z.strictObject({
      type: z.string(),
      id: z.string(),
      score: z.number().describe('Higher is better; of meaning only beside others of this answer.'),
      entity: shownEntity.optional(),
    }),
  ),
  asOf: z.iso.datetime().describe('Changes up to then have been looked into.'),
  staleMs: z.int().min(0).describe('Milliseconds since then: at most 2,000 while all is well.'),
});

export function searchTexts({ table, types, fullText }: SearchTextsOptions): Route {
  return route({
    method: 'get',
    path: '/v1/search',
    operationId: 'searchTexts',
    summary: 'The entities in whose texts the words are',
    description,
    tags: ['full text'],
    query,
    answers: { 200: { description: 'Those found.', schema: answer } },
    problems: ['type-not-found', 'full-text-unavailable'],
    handle: async ({ query: { q: text, type = [], limit, whole }, budget, signal }) => {
      for (const name of type) await types.get(name);
      const { found, asOf } = await fullText.search({ text, types: type, limit, signal });
      const entities = whole ? await entitiesOf(table, found, { budget, signal }) : undefined;
      return {
        status: 200,
        body: {
          items: found.flatMap(({ entity, score }) => {
            if (entities === undefined) return [{ ...entity, score }];
            const there = entities.get(nameOf(entity));
            return there === undefined ? [] : [{ ...entity, score, entity: showEntity(there) }];
          }),
          asOf: new Date(asOf).toISOString(),
          staleMs: Math.max(0, Date.now() - asOf),
        },
      };
    },
  });
}

/** In one request, for there are 100 of them at most. */
async function entitiesOf(
  table: Table,
  found: readonly FoundEntity[],
  { budget, signal }: { budget: Budget; signal: AbortSignal },
): Promise<Map<string, Entity>> {
  const keys = found.map(({ entity }) => entityKey(entity));
  const { items, units } = await table.getAll(keys, { signal });
  budget.charge(units);
  const entities = items.map(parseEntity).filter(({ gone }) => gone !== true);
  return new Map(entities.map((entity) => [nameOf(entity), entity]));
}

function nameOf({ type, id }: FoundEntity['entity']): string {
  return JSON.stringify([type, id]);
}
