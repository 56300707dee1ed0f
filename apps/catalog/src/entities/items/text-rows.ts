import { isDeepStrictEqual } from 'node:util';
import { textChangeFamily } from '@engawa/keys';
import { isMemberSet, parseTextRow, textRowItem } from '@engawa/model';
import { toJsonValue } from '../../values/check-value.ts';
import { filterValues } from '../../values/filter-values.ts';
import type { EntityName } from '@engawa/keys';
import type { Document, Entity, EntityType } from '@engawa/model';
import type { Shards, Write } from '@engawa/table';

/** How long the removal of texts stays in the table: as long as a full-text index may lag behind. */
const removalRetentionMs = 24 * 60 * 60 * 1000;

/**
 * The write of the text row that the full-text index follows. Its time is that of the write, not of the entity's
 * change: a type may start to index texts that have not changed for long.
 */
export function textChanges(
  stored: Document | undefined,
  entity: Entity,
  { type, shards }: { type: EntityType; shards: Shards },
): Write[] {
  const name = { type: entity.type, id: entity.id };
  const changedAt = Math.max(entity.updatedAt, Date.now());
  const values = filterValues(type, entity);
  if (type.fullText.length === 0 && values === undefined) {
    return textRemoval(stored, name, changedAt, shards);
  }
  const texts = textsOf(type, entity);
  const before = stored && parseTextRow(stored);
  if (isDeepStrictEqual([before?.texts, before?.values], [texts, values])) return [];
  const row = { entity: name, texts, values, changedAt };
  return [{ put: textRowItem(row, shards.toWrite(textChangeFamily)) }];
}

/** A row without texts stays for a while, so that full-text indexes learn of the removal. */
export function textRemoval(
  stored: Document | undefined,
  entity: EntityName,
  changedAt: number,
  shards: Shards,
): Write[] {
  if (stored === undefined || parseTextRow(stored).texts === undefined) return [];
  const ttl = Math.ceil((changedAt + removalRetentionMs) / 1000);
  return [
    {
      put: textRowItem(
        { entity, texts: undefined, changedAt, ttl },
        shards.toWrite(textChangeFamily),
      ),
    },
  ];
}

/** The texts of an entity that its type indexes, by attribute. */
export function textsOf(
  { fullText }: EntityType,
  { attributes }: Pick<Entity, 'attributes'>,
): Map<string, string> {
  const texts = fullText.flatMap((name) => {
    const value = attributes.get(name);
    // The words of each member are indexed.
    const text = isMemberSet(value) ? (toJsonValue(value) as string[]).join('\n') : value;
    return typeof text === 'string' ? [[name, text] as const] : [];
  });
  return new Map(texts);
}
