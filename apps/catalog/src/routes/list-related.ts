import {
  listQuery,
  nextCursor,
  parsePosition,
  questionOf,
  readPage,
  readRows,
  route,
} from '@engawa/http';
import { entityTypeName, idSchema } from '@engawa/model';
import { z } from 'zod';
import { entityPath, shownEntity, showEntity } from '../entities/entity-schemas.ts';
import { notFound } from '../entities/expected.ts';
import { directionOf } from '../questions/related-direction.ts';
import { RelatedStore } from '../questions/related-store.ts';
import { columnsOf } from './entity-columns.ts';
import { wholeParameter } from './question-parameters.ts';
import type { ListCall, Listing, PageRead, Route } from '@engawa/http';
import type { CatalogParts } from '../catalog-parts.ts';
import type { Related } from '../questions/related-store.ts';

const operationId = 'listRelated';

const description = [
  '`forward` gives those that the entity relates to, `backward` those that relate to it; each once, in the order of their ids,',
  'with the names of the relations. Without `direction` it is the one that the two types have.',
  '',
  'Backward, a change is seen a moment after it was answered: that index follows the entities.',
].join('\n');

const query = z.strictObject({
  direction: z.enum(['forward', 'backward']).optional(),
  relation: idSchema('relation')
    .optional()
    .describe(
      'Only those that are related by it. It may take several reads to find a few among many.',
    ),
  whole: wholeParameter('Whether to give the other entities, too: a request more for each 100.'),
  ...listQuery,
});

const relatedEntity = z
  .strictObject({
    type: z.string(),
    id: z.string(),
    relations: z.array(z.string()).describe('The names of the relations that lead there.'),
    entity: shownEntity.optional().describe('With `whole`.'),
  })
  .meta({ id: 'RelatedEntity' });

interface RelatedCall extends ListCall {
  params: { type: string; id: string; otherType: string };
  query: z.output<typeof query>;
  signal: AbortSignal;
}

type Options = Pick<CatalogParts, 'table' | 'types' | 'cursors'>;
type RelatedPage = PageRead & { items: z.output<typeof relatedEntity>[] };

export function listRelated(options: Options): Route {
  return route({
    method: 'get',
    path: '/v1/entities/{type}/{id}/related/{otherType}',
    operationId,
    summary: 'The entities that an entity relates to, or that relate to it',
    description,
    tags: ['questions'],
    scope: 'read',
    params: entityPath.extend({ otherType: entityTypeName }),
    query,
    answers: {
      200: {
        description: 'A page of them.',
        schema: z.strictObject({ items: z.array(relatedEntity), cursor: nextCursor }),
      },
    },
    problems: ['invalid-cursor', 'type-not-found', 'entity-not-found'],
    rows: {
      schema: relatedEntity,
      columns: ({ query: { whole } }) =>
        columnsOf('type', 'id', 'relations', ...(whole ? ['entity'] : [])),
      each: async function* (call) {
        yield* readRows(await listingOf(options, call), call);
      },
    },
    handle: async (call) => {
      const { page, cursor } = await readPage(await listingOf(options, call), call);
      return { status: 200, body: { items: page.items, cursor } };
    },
  });
}

async function listingOf(
  { table, types, cursors }: Options,
  { params, query: asks }: RelatedCall,
): Promise<Listing<RelatedCall, RelatedPage>> {
  const [type, other] = await Promise.all([types.get(params.type), types.get(params.otherType)]);
  const { relation, whole } = asks;
  const direction = directionOf(type, other, asks);
  const entity = { type: type.name, id: params.id };
  const store = new RelatedStore({ table });
  const question = { ...params, direction, relation: relation ?? null };
  return {
    cursors,
    question: () => questionOf(operationId, question),
    read: async ({ signal }, { after: from, ...asked }) => {
      const after = parsePosition(z.string().min(1).optional(), from);
      const page = await store.list({
        entity,
        otherType: other.name,
        direction,
        relation,
        whole,
        after,
        signal,
        ...asked,
      });
      const isNothing = page.rows.length === 0 && page.after === undefined;
      // Whoever has a cursor has seen that it is, or was, there.
      if (
        isNothing &&
        after === undefined &&
        !(await store.isThere(entity, { ...asked, signal }))
      ) {
        throw notFound(entity);
      }
      return { items: page.rows.map(show), after: page.after };
    },
  };
}

function show({ type, id, relations, entity }: Related) {
  const shown = { type, id, relations: [...relations] };
  return entity === undefined ? shown : { ...shown, entity: showEntity(entity) };
}
