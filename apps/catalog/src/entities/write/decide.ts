import { refuseClosed } from '../../types/closed-type.ts';
import { applyChanges, hasAddition } from '../content/check-changes.ts';
import { refuseUnmetConditions } from '../content/conditions.ts';
import { unreadRelations } from '../read/item-collection.ts';
import { checkExpected, expectEntity } from '../read/expected-entity.ts';
import {
  contentOf,
  isSameContent,
  nextEntity,
  withoutUnconverted,
  withUnnamedRelations,
} from './next-entity.ts';
import type { ExpectedState, Revision } from '@engawa/http';
import type { EntityName } from '@engawa/keys';
import type { Entity, EntityType } from '@engawa/model';
import type { Additions } from './additions.ts';
import type { Changes } from '../content/check-changes.ts';
import type { ItemCollection, RelationsRead } from '../read/item-collection.ts';
import type { Content } from '../content/content.ts';

/** What has to be read before a change is decided. */
export interface ChangeRead {
  relations: (type: EntityType) => RelationsRead;
  /** How an expired entity is read (`ReadEntityOptions`). */
  expired: 'hide' | 'replace';
  /** The target ids that the request names, new or existing. */
  named: Content['relations'];
  /** Layout of the type that the change was validated against. */
  layout?: number | undefined;
}

/**
 * Decides the new state; the same entity: unchanged. `isStale`: a relation row has to be rewritten even if nothing
 * changes.
 */
export type DecideChange = (
  before: ItemCollection,
  type: EntityType,
  isStale: boolean,
) => { entity: Entity; relations?: Content['relations'] | undefined; links?: Content['links'] };

export interface PutDecision {
  name: EntityName;
  content: Content;
  expected: ExpectedState<Revision>;
  /** Layout of the type that the content was validated against. */
  layout?: number | undefined;
}

/**
 * Decides a replacement of the whole entity. @throws Problem `already-exists`, `entity-not-found`, `version-mismatch`,
 * `type-changing`
 */
export function decidePut({ name, content: given, expected }: PutDecision): DecideChange {
  return (before, type, isStale) => {
    const existing = exists(before) ? before.entity : undefined;
    checkExpected(name, existing, expected);
    if (existing === undefined) refuseClosed(type);
    const content = existing === undefined ? given : withUnnamedRelations(given, before, type);
    if (existing !== undefined && !isStale && isSameContent(before, type, content)) {
      return { entity: existing };
    }
    const incarnation = before.entity?.incarnation;
    const entity = nextEntity({ name, type, before: existing, content, incarnation });
    return { entity, relations: content.relations, links: content.links };
  };
}

export interface PatchDecision {
  name: EntityName;
  changes: Changes;
  /** The revision that the client expects. */
  revision: Revision | undefined;
}

/** Decides a patch. @throws Problem `entity-not-found`, `version-mismatch`, `condition-failed` */
export function decidePatch(
  { name, changes, revision }: PatchDecision,
  additions: Additions,
): DecideChange {
  return (before, type, isStale) => {
    const existing = expectEntity(before, name, revision);
    refuseUnmetConditions(changes.conditions, existing);
    const entity = withoutUnconverted(existing, changes.attributes);
    const content = applyChanges(contentOf(before), changes, unreadRelations(before));
    const isSame = !isStale && entity === existing && isSameContent(before, type, content);
    if (isSame) return { entity };
    const mark = hasAddition(changes) ? additions.next() : undefined;
    const next = nextEntity({ name, type, before: entity, content, mark });
    if (changes.relations.size === 0) return { entity: next };
    return { entity: next, relations: content.relations, links: content.links };
  };
}

/** The outcome of a PUT. */
export type PutOutcome = 'created' | 'replaced' | 'unchanged';

export function putOutcome(before: ItemCollection, after: Entity): PutOutcome {
  if (!exists(before)) return 'created';
  return before.entity === after ? 'unchanged' : 'replaced';
}

function exists({ entity }: ItemCollection): boolean {
  return entity !== undefined && entity.gone !== true;
}
