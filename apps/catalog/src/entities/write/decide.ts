import { refuseClosed } from '../../types/closing.ts';
import { applyChanges, hasAddition } from '../content/check-changes.ts';
import { refuseUnmet } from '../content/conditions.ts';
import { unreadRelations } from '../read/item-collection.ts';
import { checkExpected, presentEntity } from '../read/expected-entity.ts';
import {
  contentOf,
  isSameContent,
  nextEntity,
  withoutUnconverted,
  withUnnamed,
} from './next-entity.ts';
import type { ExpectedState, Revision } from '@engawa/http';
import type { EntityName } from '@engawa/keys';
import type { Entity, EntityType } from '@engawa/model';
import type { Additions } from './addition-marks.ts';
import type { Changes } from '../content/check-changes.ts';
import type { Collection, RelationsRead } from '../read/item-collection.ts';
import type { Content } from '../content/content.ts';

/** What a change has to know before it is decided. */
export interface Read {
  relations: (type: EntityType) => RelationsRead;
  /** What is done where its instant has come (`ReadEntityOptions`). */
  expired: 'hide' | 'replace';
  /** The ids that relations are said to lead to, whether or not they do so already. */
  named: Content['relations'];
  /** That of the type by which the change was checked. */
  layout?: number | undefined;
}

/** What the entity is to be; itself where it stays. `isStale`: some row has to be made again, also where nothing changes. */
export type Decide = (
  before: Collection,
  type: EntityType,
  isStale: boolean,
) => { entity: Entity; relations?: Content['relations'] | undefined; links?: Content['links'] };

export interface PutDecision {
  name: EntityName;
  content: Content;
  expected: ExpectedState<Revision>;
  /** That of the type by which the content was checked. */
  layout?: number | undefined;
}

/** All of it made anew. @throws Problem `already-exists`, `entity-not-found`, `version-mismatch`, `type-in-use` */
export function decidePut({ name, content: given, expected }: PutDecision): Decide {
  return (before, type, isStale) => {
    const there = isThere(before) ? before.entity : undefined;
    checkExpected(name, there, expected);
    if (there === undefined) refuseClosed(type);
    const content = there === undefined ? given : withUnnamed(given, before, type);
    if (there !== undefined && !isStale && isSameContent(before, type, content)) {
      return { entity: there };
    }
    const incarnation = before.entity?.incarnation;
    const entity = nextEntity({ name, type, before: there, content, incarnation });
    return { entity, relations: content.relations, links: content.links };
  };
}

export interface PatchDecision {
  name: EntityName;
  changes: Changes;
  /** Only as long as it is this one. */
  revision: Revision | undefined;
}

/** Parts of it changed. @throws Problem `entity-not-found`, `version-mismatch`, `condition-failed` */
export function decidePatch(
  { name, changes, revision }: PatchDecision,
  additions: Additions,
): Decide {
  return (before, type, isStale) => {
    const there = presentEntity(before, name, revision);
    refuseUnmet(changes.conditions, there);
    const entity = withoutUnconverted(there, changes.attributes);
    const content = applyChanges(contentOf(before), changes, unreadRelations(before));
    const isSame = !isStale && entity === there && isSameContent(before, type, content);
    if (isSame) return { entity };
    const mark = hasAddition(changes) ? additions.next() : undefined;
    const next = nextEntity({ name, type, before: entity, content, mark });
    if (changes.relations.size === 0) return { entity: next };
    return { entity: next, relations: content.relations, links: content.links };
  };
}

/** What a PUT has done. */
export type PutOutcome = 'created' | 'replaced' | 'unchanged';

export function outcomeOf(before: Collection, after: Entity): PutOutcome {
  if (!isThere(before)) return 'created';
  return before.entity === after ? 'unchanged' : 'replaced';
}

function isThere({ entity }: Collection): boolean {
  return entity !== undefined && entity.gone !== true;
}
