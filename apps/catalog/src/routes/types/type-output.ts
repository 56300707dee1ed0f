import { linkAttributeKinds } from '@engawa/model';
import { z } from 'zod';
import { exampleOutput, leftOutOutput } from '../../queries/left-out-entities.ts';
import {
  automatic,
  direction,
  encoding,
  kind,
  memberKind,
  periodLength,
  uniqueRule,
} from '../../types/check/type-schemas.ts';
import type { EntityType, SearchPart } from '@engawa/model';

const state = z
  .enum(['ready', 'building'])
  .describe('While `building` from the existing entities, it cannot be queried.');

const attributePartOutput = z.strictObject({ attribute: z.string(), as: encoding });
const relationPartOutput = z.strictObject({ relation: z.string() });

export const typeOutput = z
  .strictObject({
    name: z.string(),
    attributes: z.array(
      z.strictObject({
        name: z.string(),
        kind,
        required: z.boolean(),
        of: memberKind,
        automatic,
        unique: z.boolean().optional().describe(uniqueRule),
      }),
    ),
    relations: z.array(
      z.strictObject({
        name: z.string(),
        to: z.string(),
        many: z.boolean(),
        attributes: z
          .array(
            z.strictObject({
              name: z.string(),
              kind: z.enum(linkAttributeKinds),
              required: z.boolean(),
            }),
          )
          .optional(),
      }),
    ),
    searches: z.array(
      z.strictObject({
        name: z.string(),
        parts: z.array(z.union([attributePartOutput, relationPartOutput])),
        state,
      }),
    ),
    rankings: z.array(
      z.strictObject({
        name: z.string(),
        attribute: z.string(),
        direction,
        ties: z.strictObject({ attribute: z.string(), direction }).optional(),
        within: z.string().optional(),
        period: z.strictObject({ attribute: z.string(), length: periodLength }).optional(),
        state,
      }),
    ),
    fullText: z.array(z.string()),
    additional: z.boolean(),
    filters: z.array(
      z.union([attributePartOutput.extend({ state }), relationPartOutput.extend({ state })]),
    ),
    expires: z.strictObject({ attribute: z.string() }).optional(),
    createdAt: z.iso.datetime(),
    changedAt: z.iso.datetime(),
    version: z.int().describe('Incremented by each change; part of the ETag.'),
  })
  .meta({ id: 'EntityType' });

export const typeWithBuildOutput = typeOutput
  .extend({
    build: z
      .strictObject({
        done: z.int().describe('Number of entities processed.'),
        since: z.iso.datetime().describe('When the type was changed.'),
        refused: z
          .strictObject({ count: z.int(), examples: z.array(exampleOutput) })
          .optional()
          .describe(
            'Entities that cannot be rewritten for the new declaration; retried every minute until all succeed.',
          ),
      })
      .optional()
      .describe(
        'Progress of the build; present while entities are being rewritten for the new declaration.',
      ),
    ...leftOutOutput,
  })
  .meta({ id: 'EntityTypeWithBuild' });

export function showType(type: EntityType) {
  const { name, attributes, relations, fullText, createdAt, changedAt, version, built } = type;
  const stateOf = (layout: number) =>
    layout <= built ? ('ready' as const) : ('building' as const);
  return {
    name,
    attributes: [...attributes],
    relations: relations.map(({ attributes: links, ...relation }) => ({
      ...relation,
      ...(links && { attributes: [...links] }),
    })),
    searches: type.searches.map(({ name, parts, layout }) => ({
      name,
      parts: parts.map(showPart),
      state: stateOf(layout),
    })),
    rankings: type.rankings.map(({ layout, ...ranking }) => ({
      ...ranking,
      state: stateOf(layout),
    })),
    fullText: [...fullText],
    additional: type.additional === true,
    filters: (type.filters ?? []).map((filter) => ({
      ...showPart(filter),
      state: stateOf(filter.layout),
    })),
    ...(type.expires && { expires: type.expires }),
    createdAt: new Date(createdAt),
    changedAt: new Date(changedAt),
    version,
  };
}

function showPart(part: SearchPart) {
  return 'attribute' in part
    ? { attribute: part.attribute, as: part.as }
    : { relation: part.relation };
}
