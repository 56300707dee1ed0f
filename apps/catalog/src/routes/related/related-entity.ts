import { idSchema } from '@engawa/model';
import { z } from 'zod';
import {
  attributesOutput,
  showAttributes,
  showEntity,
} from '../../entities/read/entity-schemas.ts';
import { fieldsQuery } from '../../values/fields.ts';
import { listedEntity } from '../../queries/included/read-included.ts';
import { wholeParameter } from '../query-parameters.ts';
import type { EntityType } from '@engawa/model';
import type { Fields } from '../../values/fields.ts';
import type { IncludedOf } from '../../queries/included/read-included.ts';
import type { RelatedEntityRow } from '../../queries/related/related-store.ts';

/** The parameters of both lists of related entities. */
export const relatedQuery = {
  direction: z.enum(['forward', 'backward']).optional(),
  relation: idSchema('relation')
    .optional()
    .describe(
      'Only entities related by this relation. Finding few among many may take several reads.',
    ),
  order: z.enum(['ascending', 'descending']).prefault('ascending'),
  whole: wholeParameter(
    'Whether to include the related entities, for one more DynamoDB request per 100.',
  ),
  ...fieldsQuery,
};

export const relatedEntity = z
  .strictObject({
    type: z.string(),
    id: z.string(),
    relations: z.array(z.string()).describe('The names of the relations.'),
    attributes: z
      .record(z.string(), attributesOutput)
      .optional()
      .describe('Attributes of these relations, by relation name, if they have any.'),
    entity: listedEntity.optional().describe('With `whole`.'),
  })
  .meta({ id: 'RelatedEntity' });

/** Of an entity in its current form, present with `whole`. */
export function showRelated(
  { type, id, relations, attributes, entity }: RelatedEntityRow,
  { fields, includedOf }: { fields?: Fields | undefined; includedOf?: IncludedOf },
) {
  const attributesByRelation = [...attributes].map(
    ([name, values]) => [name, showAttributes(values)] as const,
  );
  return {
    type,
    id,
    relations: [...relations],
    ...(attributesByRelation.length > 0 && {
      attributes: Object.fromEntries(attributesByRelation),
    }),
    ...(entity !== undefined && {
      entity: { ...showEntity(entity, fields), ...includedOf?.(entity) },
    }),
  };
}

/** Whether relations of the type have any attributes. */
export function hasLinkAttributes({ relations }: EntityType): boolean {
  return relations.some(({ attributes = [] }) => attributes.length > 0);
}
