import { z } from 'zod';
import {
  attributesOutput,
  entityOutput,
  showAttributes,
} from '../../entities/read/entity-schemas.ts';
import { isExpired, withExpiry } from '../../entities/items/expiry-time.ts';
import { targetKey } from '../../entities/items/entity-items.ts';
import { presentEntity, readFields } from '../../migrations/present-entity.ts';
import { onlyFields } from '../../values/fields.ts';
import { fetchEntities } from '../fetch-entities.ts';
import type { Entity } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { Fields } from '../../values/fields.ts';
import type { RequestLimits } from '../fetch-entities.ts';
import type { Include, IncludedRelation } from './include.ts';

/** Bytes of the included attributes of one entity, which many entities of a page may have. */
const maxIncludedBytes = 16_000;

const includedEntity = z
  .strictObject({
    id: z.string(),
    attributes: attributesOutput.optional(),
    missing: z
      .enum(['not-found', 'expired', 'too-large'])
      .optional()
      .describe(
        `Instead of the attributes: the entity was deleted, its time has passed, or these attributes have more than ${maxIncludedBytes.toLocaleString('en')} bytes.`,
      ),
  })
  .meta({ id: 'IncludedEntity' });

export type IncludedEntity = z.output<typeof includedEntity>;

/** Spread into an entity of a list. */
export const includedOutput = {
  included: z
    .record(z.string(), includedEntity)
    .optional()
    .describe(
      'With `include`: the related entities, by relation. A relation without target is absent.',
    ),
};

/** An entity of a list. */
export const listedEntity = entityOutput.extend(includedOutput).meta({ id: 'ListedEntity' });

interface ReadIncludedOptions extends RequestLimits {
  table: Table;
  /** The wall clock by which entities expire (epoch milliseconds). */
  now: () => number;
}

/** The property `included` of an entity of the page, if it was requested. */
export type IncludedOf = (entity: Entity) => { included?: Record<string, IncludedEntity> };

/**
 * Reads the included attributes, once for each distinct target; one request per 100.
 * @param entities in their current form
 */
export async function readIncluded(
  { table, now, ...limits }: ReadIncludedOptions,
  include: Include | undefined,
  entities: readonly Entity[],
): Promise<IncludedOf> {
  if (include === undefined) return () => ({});
  const relations = [...include];
  const names = relations.flatMap(([relation, { target }]) =>
    entities.flatMap(({ one }) => {
      const id = one.get(relation);
      return id === undefined ? [] : [{ type: target.name, id }];
    }),
  );
  const found = await fetchEntities(table, names, { ...limits, fields: fieldsOf(include) });
  const show = (included: IncludedRelation, id: string) =>
    showIncluded(found.get(targetKey({ type: included.target.name, id })), {
      ...included,
      ...{ id, now: now() },
    });
  return ({ one }) => ({
    included: Object.fromEntries(
      relations.flatMap(([relation, included]) => {
        const id = one.get(relation);
        return id === undefined ? [] : [[relation, show(included, id)]];
      }),
    ),
  });
}

/** The fields to read of all targets, with the times by which they expire. */
function fieldsOf(include: Include): Fields | undefined {
  const all = [...include.values()].map(({ target, attributes }) =>
    withExpiry(target, readFields(attributes, [target])),
  );
  const given = all.filter((fields) => fields !== undefined);
  return given.length < all.length ? undefined : new Set(given.flatMap((fields) => [...fields]));
}

function showIncluded(
  stored: Entity | undefined,
  { target, attributes: names, id, now }: IncludedRelation & { id: string; now: number },
): IncludedEntity {
  if (stored === undefined) return { id, missing: 'not-found' };
  const entity = presentEntity(stored, target);
  if (isExpired(target, entity, now)) return { id, missing: 'expired' };
  const attributes = showAttributes(onlyFields(entity.attributes, names));
  const bytes = Buffer.byteLength(JSON.stringify(attributes));
  return bytes > maxIncludedBytes ? { id, missing: 'too-large' } : { id, attributes };
}
