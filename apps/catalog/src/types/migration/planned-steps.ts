import { pendingSteps } from '../../migrations/present-entity.ts';
import type { AttributeDefinition, EntityType, MigrationStep } from '@engawa/model';
import { noMigration } from './check-migration.ts';
import type { Migration } from './check-migration.ts';
import type { TypeDefinition } from '../check/check-type.ts';

type PlannedStep = MigrationStep extends infer Each
  ? Each extends unknown
    ? Omit<Each, 'layout'>
    : never
  : never;

/** The stored name of a declared attribute or relation: the same, or the one that it is renamed from. */
export function nameBefore(
  names: ReadonlySet<string>,
  name: string,
  { renamed }: Migration,
): string | undefined {
  if (names.has(name)) return name;
  const from = renamed.get(name);
  return from !== undefined && names.has(from) ? from : undefined;
}

export function namesIn(definitions: readonly { name: string }[]): Set<string> {
  return new Set(definitions.map(({ name }) => name));
}

/** The migration steps that a definition needs, in addition to pending ones. */
export function plannedSteps(
  type: EntityType,
  definition: TypeDefinition,
  layout: number,
): MigrationStep[] {
  const steps = [
    ...attributeSteps(type, definition),
    ...relationSteps(type, definition),
    ...(definition.migration?.removed ?? [])
      .filter((name) => namesIn([...type.attributes, ...type.relations]).has(name))
      .map((name): PlannedStep => ({ step: 'remove', name })),
  ];
  return steps.map((step) => ({ layout, ...step }));
}

/** The pending steps followed by the planned ones. */
export function stepsAfter(
  type: EntityType,
  planned: readonly MigrationStep[],
): Pick<EntityType, 'steps'> {
  const steps = type.gone === true ? [] : [...pendingSteps(type), ...planned];
  return steps.length === 0 ? {} : { steps };
}

function attributeSteps(
  type: EntityType,
  { attributes, migration = noMigration }: TypeDefinition,
): PlannedStep[] {
  const names = namesIn(type.attributes);
  return attributes.flatMap((attribute) => {
    const { name, kind, automatic } = attribute;
    const before = typeAttribute(type, nameBefore(names, name, migration));
    const isFilled = automatic !== undefined && before?.automatic !== automatic;
    const fill: PlannedStep[] = isFilled ? [{ step: 'fill', name }] : [];
    if (before === undefined) return fill;
    const steps: PlannedStep[] =
      before.name === name ? [] : [{ step: 'rename', from: before.name, to: name }];
    if (before.kind !== kind) steps.push({ step: 'convert', name, to: kind });
    return [...steps, ...fill];
  });
}

function typeAttribute(
  type: EntityType,
  name: string | undefined,
): AttributeDefinition | undefined {
  return type.attributes.find((attribute) => attribute.name === name);
}

function relationSteps(
  type: EntityType,
  { relations, migration = noMigration }: TypeDefinition,
): PlannedStep[] {
  const names = namesIn(type.relations);
  return relations.flatMap(({ name, many }) => {
    const from = nameBefore(names, name, migration);
    const before = type.relations.find((relation) => relation.name === from);
    if (before === undefined) return [];
    const steps: PlannedStep[] =
      before.name === name ? [] : [{ step: 'rename', from: before.name, to: name }];
    return many && !before.many ? [...steps, { step: 'widen', name }] : steps;
  });
}
