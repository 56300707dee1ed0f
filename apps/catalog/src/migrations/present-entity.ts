import { convertValue } from './convert-value.ts';
import type { AttributeValue, Entity, EntityType, MigrationStep, ScalarValue } from '@engawa/model';
import type { Fields } from '../values/fields.ts';

interface MigratingEntity {
  attributes: Map<string, AttributeValue>;
  one: Map<string, string>;
  unconverted: Map<string, ScalarValue>;
}

/** The migration steps that some entities still need, in order. */
export function pendingSteps({ steps = [], built }: EntityType): readonly MigrationStep[] {
  return steps.filter(({ layout }) => layout > built);
}

/**
 * The entity as its type declares it now, migrated from the layout it was written in; the same object if it is up to
 * date. Rows of an index have no layout, so all pending steps are applied to them: each step is idempotent.
 */
export function presentEntity(entity: Entity, type: EntityType): Entity {
  const steps = pendingSteps(type).filter(({ layout }) => layout > entity.layout);
  if (steps.length === 0 || entity.gone === true) return entity;
  const result: MigratingEntity = {
    attributes: new Map(entity.attributes),
    one: new Map(entity.one),
    unconverted: new Map(entity.unconverted),
  };
  for (const step of steps) applyStep(step, result, { entity, type });
  return { ...entity, ...result };
}

/** The target ids of each relation, by current relation names. */
export function presentRelations(
  relations: ReadonlyMap<string, readonly string[]>,
  type: EntityType,
): ReadonlyMap<string, readonly string[]> {
  const steps = pendingSteps(type);
  if (steps.length === 0) return relations;
  return byPresentName(relations, (name) => presentName(name, steps));
}

/** Values keyed by relation name, with current names. */
export function presentKeys<Value>(
  values: ReadonlyMap<string, Value>,
  nameOf: ((name: string) => string | undefined) | undefined,
): ReadonlyMap<string, Value> {
  if (nameOf === undefined) return values;
  return new Map(
    [...values].flatMap(([before, value]) => {
      const name = nameOf(before);
      return name === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** Attributes of relations, by current relation names. */
export function presentLinks<Value>(
  links: ReadonlyMap<string, Value>,
  type: EntityType,
): ReadonlyMap<string, Value> {
  const steps = pendingSteps(type);
  return presentKeys(links, steps.length === 0 ? undefined : (name) => presentName(name, steps));
}

export function byPresentName(
  relations: ReadonlyMap<string, readonly string[]>,
  nameOf: (name: string) => string | undefined,
): Map<string, string[]> {
  const present = new Map<string, string[]>();
  for (const [before, ids] of relations) {
    const name = nameOf(before);
    if (name === undefined) continue;
    present.set(name, [...new Set([...(present.get(name) ?? []), ...ids])]);
  }
  return present;
}

/** The current names of relations, without removed ones. */
export function presentNames(names: readonly string[], type: EntityType): readonly string[] {
  const steps = pendingSteps(type);
  if (steps.length === 0) return names;
  return [...new Set(names.flatMap((name) => presentName(name, steps) ?? []))];
}

/** The fields to read from the table: all, while a pending migration may have stored them under other names. */
export function readFields(
  fields: Fields | undefined,
  types: readonly EntityType[],
): Fields | undefined {
  return types.some((type) => pendingSteps(type).length > 0) ? undefined : fields;
}

/** Whether a pending migration may rewrite relation rows. */
export function changesRelations(type: EntityType): boolean {
  return pendingSteps(type).some(({ step }) => step === 'rename' || step === 'remove');
}

/** @returns undefined where the relation was removed */
export function presentName(name: string, steps: readonly MigrationStep[]): string | undefined {
  let present = name;
  for (const step of steps) {
    if (step.step === 'remove' && step.name === present) return undefined;
    if (step.step === 'rename' && step.from === present) present = step.to;
  }
  return present;
}

function applyStep(
  step: MigrationStep,
  result: MigratingEntity,
  { entity, type }: { entity: Entity; type: EntityType },
): void {
  switch (step.step) {
    case 'rename':
      rename(result.attributes, step);
      rename(result.one, step);
      rename(result.unconverted, step);
      return;
    case 'remove':
      for (const values of [result.attributes, result.one, result.unconverted]) {
        values.delete(step.name);
      }
      return;
    case 'widen':
      result.one.delete(step.name);
      return;
    case 'convert':
      convert(result, step);
      return;
    case 'fill':
      fill(result, step.name, { entity, type });
  }
}

/** If both names have a value, the old one was written last, by a replica with the previous declaration. */
function rename<Value>(values: Map<string, Value>, { from, to }: { from: string; to: string }) {
  const value = values.get(from);
  if (value === undefined) return;
  values.delete(from);
  values.set(to, value);
}

/** A value that cannot be converted moves to `unconverted`. */
function convert(
  { attributes, unconverted }: MigratingEntity,
  { name, to }: Extract<MigrationStep, { step: 'convert' }>,
): void {
  const value = attributes.get(name) ?? unconverted.get(name);
  if (value === undefined) return;
  const converted = convertValue(value, to);
  if (converted === undefined) {
    attributes.delete(name);
    // Only scalar kinds are convertible.
    unconverted.set(name, value as ScalarValue);
  } else {
    attributes.set(name, converted);
    unconverted.delete(name);
  }
}

function fill(
  { attributes }: MigratingEntity,
  name: string,
  { entity, type }: { entity: Entity; type: EntityType },
): void {
  const automatic = type.attributes.find((attribute) => attribute.name === name)?.automatic;
  if (automatic === undefined || attributes.has(name)) return;
  const time = automatic === 'created' ? entity.createdAt : entity.updatedAt;
  attributes.set(name, new Date(time).toISOString());
}
