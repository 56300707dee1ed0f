import { isDeepStrictEqual } from 'node:util';
import { invariant } from '@engawa/errors';
import { linkAttributesOf } from '@engawa/model';
import { presentKeys } from '../../migrations/present-entity.ts';
import { targetKey } from '../items/entity-items.ts';
import type { FieldError } from '@engawa/errors';
import type { EntityType, LinkAttributes, ScalarValue } from '@engawa/model';
import type { ItemCollection } from '../read/item-collection.ts';

/** The change of the attributes of a relation to one target: all of them, or those to change (null: removed). */
export interface LinkChange {
  isWhole: boolean;
  values: ReadonlyMap<string, ScalarValue | null>;
}

/** By relation name, then by target id. Unnamed relations are unchanged. */
export type LinkChanges = ReadonlyMap<string, ReadonlyMap<string, LinkChange>>;

/** The new attributes of the relations to one target. @param id of the target */
export function changedLinks(
  current: LinkAttributes,
  { id, names, links }: { id: string; names: readonly string[]; links: LinkChanges | undefined },
): LinkAttributes {
  const changed = names.map((name) => {
    const change = links?.get(name)?.get(id);
    const before = current.get(name) ?? new Map<string, ScalarValue>();
    return [name, change === undefined ? before : applied(before, change)] as const;
  });
  return new Map(changed.filter(([, values]) => values.size > 0));
}

/** Whether any kept relation gets other attributes. */
export function changesLinks(
  { entity, relations, presentName }: ItemCollection,
  type: EntityType,
  links: LinkChanges | undefined,
): boolean {
  return [...(links ?? [])].some(([name, changes]) => {
    const relation = type.relations.find((one) => one.name === name);
    const { to } = invariant(relation, 'a changed relation is declared');
    return [...changes].some(([id, change]) => {
      const row = relations?.get(targetKey({ type: to, id }));
      const links = row && presentKeys(linkAttributesOf(row, entity?.settles), presentName);
      const before = links?.get(name);
      const current = before ?? new Map<string, ScalarValue>();
      return !isDeepStrictEqual(current, applied(current, change));
    });
  });
}

/** Errors for required attributes that new or changed relations lack. */
export function missingAttributes(
  { relations }: EntityType,
  { id, names, attributes }: { id: string; names: readonly string[]; attributes: LinkAttributes },
): FieldError[] {
  return relations
    .filter(({ name }) => names.includes(name))
    .flatMap(({ name, attributes: definitions = [] }) =>
      definitions
        .filter((one) => one.required && attributes.get(name)?.has(one.name) !== true)
        .map((one) => ({
          path: `body.relations.${name}`,
          message: `must have the attribute ${JSON.stringify(one.name)} of ${JSON.stringify(id)}`,
        })),
    );
}

function applied(
  before: ReadonlyMap<string, ScalarValue>,
  { isWhole, values }: LinkChange,
): Map<string, ScalarValue> {
  const next = new Map(isWhole ? [] : before);
  for (const [name, value] of values) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  return next;
}
