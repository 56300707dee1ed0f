import { z } from 'zod';
import { unindexedReasons } from '../items/unindexed-texts.ts';
import { entityOutput, showEntity } from './entity-schemas.ts';
import type { Entity, EntityType } from '@engawa/model';

export const unindexed = z
  .record(z.string(), z.string())
  .optional()
  .describe('Attributes of whose text only a part is in full-text search, with the reason.');

/** An entity as the response to a write shows it. */
export const writtenEntityOutput = entityOutput.extend({ unindexed }).meta({ id: 'WrittenEntity' });

export function showWrittenEntity(type: EntityType, entity: Entity) {
  const reasons = unindexedReasons(type, entity);
  return {
    ...showEntity(entity),
    ...(reasons.size > 0 && { unindexed: Object.fromEntries(reasons) }),
  };
}
