import { catalogTaskKey, parseKey } from '@engawa/keys';
import { keyOf } from '@engawa/model';
import type { Key } from '@engawa/keys';
import type { Document, EntityType } from '@engawa/model';
import type { PageKey } from '@engawa/table';

export const buildKind = 'BUILD';

/** The task that rewrites all entities of a type for a layout. */
export interface Build {
  type: string;
  /** In its key: a further change of the type is another build. */
  layout: number;
  /** When the type was changed (epoch milliseconds). */
  changedAt: number;
  progress: BuildProgress;
  /** The replica that works on it, and until when (epoch milliseconds). */
  claim?: { by: string; until: number };
}

export interface BuildProgress {
  /** Entities processed. */
  done: number;
  /** The current shard of the entity list, and the last key read there; undefined: its beginning. */
  shard: number;
  after?: PageKey | undefined;
  /**
   * Entities that could not be rewritten, in this pass, and in the previous pass until this one has
   * reached an entity.
   */
  refused?: { count: number; examples: { id: string; reason: string }[] } | undefined;
}

export function buildKey({ type, layout }: Pick<Build, 'type' | 'layout'>): Key {
  return catalogTaskKey(buildKind, type, String(layout));
}

export function newBuildItem({ name, layout, changedAt }: EntityType): Document {
  return { ...buildKey({ type: name, layout }), changedAt, progress: { done: 0, shard: 0 } };
}

/** @throws TypeError when the item is not a build */
export function parseBuild(item: Document): Build {
  const key = parseKey(keyOf(item));
  if (key.item !== 'catalogTask' || key.kind !== buildKind) {
    throw new TypeError(`a ${key.item}, not a build of a type`);
  }
  const [type = '', layout = ''] = key.segments;
  const { changedAt, progress, claim } = item as unknown as Build;
  return { type, layout: Number(layout), changedAt, progress, ...(claim && { claim }) };
}
