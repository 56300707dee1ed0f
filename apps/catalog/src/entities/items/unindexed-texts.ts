import { invariant } from '@engawa/errors';
import { unindexedTexts } from '../../full-text/indexed-words.ts';
import { textsOf } from './text-rows.ts';
import type { Entity, EntityType } from '@engawa/model';

/** By attribute: why a part of its text is not in full-text search. */
export function unindexedReasons(
  type: EntityType,
  entity: Pick<Entity, 'attributes'>,
): Map<string, string> {
  const texts = textsOf(type, entity);
  const reasons = [...unindexedTexts(texts)].map(([name, indexed]) => {
    const { length } = invariant(texts.get(name), 'an unindexed text is one of the texts');
    return [name, `has ${length} UTF-16 units, of which the first ${indexed} are indexed`] as const;
  });
  return new Map(reasons);
}
