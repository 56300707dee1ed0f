import { refuseClosed } from '../../types/closed-type.ts';
import { applyChanges, hasAddition } from '../content/check-changes.ts';
import { checkStated } from '../content/check-stated.ts';
import { missingAmong, refuseOlder } from '../content/older-content.ts';
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
  /** Another way to make the change, tried after a conflict; undefined: it does not apply. */
  afterConflict?: () => Promise<ChangedEntity | undefined>;
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
    if (existing === undefined) refuseCreation(type, given);
    else refuseOlder(given, existing);
    const content = existing === undefined ? given : withUnnamedRelations(given, before, type);
    const isSame = existing !== undefined && isSameContent(before, type, content);
    if (existing !== undefined) checkStated(given.stated, existing, { before, type, isSame });
    if (isSame && !isStale) return { entity: existing };
    const incarnation = before.entity?.incarnation;
    const entity = nextEntity({ name, type, before: existing, content, incarnation });
    return { entity, relations: content.relations, links: content.links };
  };
}

/** @throws Problem `type-changing`; `invalid-request` where the content does not fit the type */
export function refuseCreation(type: EntityType, content: Content): void {
  refuseClosed(type);
  refuseOlder(content, undefined);
}

export interface PatchDecision {
  name: EntityName;
  changes: Changes;
  /** The revision that the client expects. */
  revision: Revision | undefined;
  /** Whether a missing entity is created. */
  upsert?: boolean | undefined;
}

/** Decides a patch. @throws Problem `entity-not-found`, `version-mismatch`, `condition-failed` */
export function decidePatch(patch: PatchDecision, additions: Additions): DecideChange {
  const { name, changes, revision, upsert } = patch;
  return (before, type, isStale) => {
    if (upsert === true && !exists(before)) return createByPatch(patch, before, type, additions);
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

/** The new entity that the changes make. @throws Problem `condition-failed`, `type-changing`, `invalid-request` */
function createByPatch(
  { name, changes }: PatchDecision,
  before: ItemCollection,
  type: EntityType,
  additions: Additions,
): ReturnType<DecideChange> {
  refuseUnmetConditions(changes.conditions, { attributes: new Map() });
  const content = applyChanges({ attributes: new Map(), relations: new Map() }, changes);
  const missing = missingAmong(type, content.attributes);
  refuseCreation(type, { ...content, older: { missing, unfit: new Map() } });
  const mark = hasAddition(changes) ? additions.next() : undefined;
  const incarnation = before.entity?.incarnation;
  const entity = nextEntity({ name, type, before: undefined, content, incarnation, mark });
  return { entity, relations: content.relations, links: content.links };
}

/** What a change did. */
export type ChangeOutcome = 'created' | 'replaced' | 'unchanged';

/** An entity after a change. */
export interface ChangedEntity {
  entity: Entity;
  outcome: ChangeOutcome;
}

export function changedEntity(before: ItemCollection, entity: Entity): ChangedEntity {
  if (!exists(before)) return { entity, outcome: 'created' };
  return { entity, outcome: before.entity === entity ? 'unchanged' : 'replaced' };
}

function exists({ entity }: ItemCollection): boolean {
  return entity !== undefined && entity.gone !== true;
}
