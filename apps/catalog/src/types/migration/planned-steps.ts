import { pendingSteps } from '../../migrations/present-entity.ts';
import type { AttributeDefinition, EntityType, MigrationStep } from '@engawa/model';
import { noMigration } from './check-migration.ts';
import type { Migration } from './check-migration.ts';
import type { TypeDefinition } from '../check/check-type.ts';

type Step = MigrationStep extends infer Each
  ? Each extends unknown
    ? Omit<Each, 'layout'>
    : never
  : never;

/** What a type calls now what is declared: by the same name, or by that which it is renamed from. */
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

/** What entities of the type have to go through for the definition, beside what is under way. */
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
      .map((name): Step => ({ step: 'remove', name })),
  ];
  return steps.map((step) => ({ layout, ...step }));
}

/** Those that are under way, and those that a change makes necessary. */
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
): Step[] {
  const names = namesIn(type.attributes);
  return attributes.flatMap((attribute) => {
    const { name, kind, automatic } = attribute;
    const before = typeAttribute(type, nameBefore(names, name, migration));
    const isFilled = automatic !== undefined && before?.automatic !== automatic;
    const fill: Step[] = isFilled ? [{ step: 'fill', name }] : [];
    if (before === undefined) return fill;
    const steps: Step[] =
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
): Step[] {
  const names = namesIn(type.relations);
  return relations.flatMap(({ name, many }) => {
    const from = nameBefore(names, name, migration);
    const before = type.relations.find((relation) => relation.name === from);
    if (before === undefined) return [];
    const steps: Step[] =
      before.name === name ? [] : [{ step: 'rename', from: before.name, to: name }];
    return many && !before.many ? [...steps, { step: 'widen', name }] : steps;
  });
}
