import { isDeepStrictEqual } from 'node:util';
import { textChangeFamily } from '@engawa/keys';
import { isMemberSet, parseTextRow, textRowItem } from '@engawa/model';
import { shownValue } from '../../values/check-value.ts';
import { filterValues } from '../../values/filter-values.ts';
import type { EntityName } from '@engawa/keys';
import type { Document, Entity, EntityType } from '@engawa/model';
import type { Shards, Write } from '@engawa/table';

/** Milliseconds for which it is known that an entity has no texts any more: as long as a full-text index may be behind. */
const rememberedFor = 24 * 60 * 60 * 1000;

/**
 * What has to be written for the full-text index to learn what the entity says now. The time is that of writing: a type may
 * begin to look into what has not changed for long.
 */
export function textChanges(
  there: Document | undefined,
  entity: Entity,
  { type, shards }: { type: EntityType; shards: Shards },
): Write[] {
  const name = { type: entity.type, id: entity.id };
  const changedAt = Math.max(entity.updatedAt, Date.now());
  const values = filterValues(type, entity);
  if (type.fullText.length === 0 && values === undefined) {
    return textsGone(there, name, changedAt, shards);
  }
  const texts = textsOf(type, entity);
  const before = there && parseTextRow(there);
  if (isDeepStrictEqual([before?.texts, before?.values], [texts, values])) return [];
  const row = { entity: name, texts, values, changedAt };
  return [{ put: textRowItem(row, shards.toWrite(textChangeFamily)) }];
}

/** The row stays without texts for a while where there was one: of one that is not there, nobody would learn. */
export function textsGone(
  there: Document | undefined,
  entity: EntityName,
  changedAt: number,
  shards: Shards,
): Write[] {
  if (there === undefined || parseTextRow(there).texts === undefined) return [];
  const ttl = Math.ceil((changedAt + rememberedFor) / 1000);
  return [
    {
      put: textRowItem(
        { entity, texts: undefined, changedAt, ttl },
        shards.toWrite(textChangeFamily),
      ),
    },
  ];
}

function textsOf({ fullText }: EntityType, { attributes }: Entity): Map<string, string> {
  const texts = fullText.flatMap((name) => {
    const value = attributes.get(name);
    // Members are found word by word, each on its own.
    const text = isMemberSet(value) ? (shownValue(value) as string[]).join('\n') : value;
    return typeof text === 'string' ? [[name, text] as const] : [];
  });
  return new Map(texts);
}
