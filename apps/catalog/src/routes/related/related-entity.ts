import { idSchema } from '@engawa/model';
import { z } from 'zod';
import {
  shownAttributes,
  showAttributes,
  shownEntity,
  showEntity,
} from '../../entities/read/entity-schemas.ts';
import { fieldsQuery } from '../../values/fields.ts';
import { wholeParameter } from '../query-parameters.ts';
import type { Entity, EntityType } from '@engawa/model';
import type { Fields } from '../../values/fields.ts';
import type { Related } from '../../queries/related/related-store.ts';

/** The parameters of both lists of related entities. */
export const relatedQuery = {
  direction: z.enum(['forward', 'backward']).optional(),
  relation: idSchema('relation')
    .optional()
    .describe(
      'Only those that are related by it. It may take several reads to find a few among many.',
    ),
  order: z.enum(['ascending', 'descending']).prefault('ascending'),
  whole: wholeParameter('Whether to give the other entities, too: a request more for each 100.'),
  ...fieldsQuery,
};

export const relatedEntity = z
  .strictObject({
    type: z.string(),
    id: z.string(),
    relations: z.array(z.string()).describe('The names of the relations that lead there.'),
    attributes: z
      .record(z.string(), shownAttributes)
      .optional()
      .describe('Of these relations, by their names, where they have any.'),
    entity: shownEntity.optional().describe('With `whole`.'),
  })
  .meta({ id: 'RelatedEntity' });

export function showRelated(
  { type, id, relations, attributes, entity }: Related,
  presentEntity: (entity: Entity) => Entity,
  fields?: Fields,
) {
  const said = [...attributes].map(([name, values]) => [name, showAttributes(values)] as const);
  return {
    type,
    id,
    relations: [...relations],
    ...(said.length > 0 && { attributes: Object.fromEntries(said) }),
    ...(entity !== undefined && { entity: showEntity(presentEntity(entity), fields) }),
  };
}

/** Whether relations of the type have any attributes. */
export function hasLinkAttributes({ relations }: EntityType): boolean {
  return relations.some(({ attributes = [] }) => attributes.length > 0);
}
