import { noMigration } from './check-migration.ts';
import { isConvertible } from '../../migrations/convert-value.ts';
import { nameBefore, namesIn } from './planned-steps.ts';
import { pendingSteps } from '../../migrations/present-entity.ts';
import { unfitUnique } from './incompatible-unique.ts';
import type { FieldError } from '@engawa/errors';
import type {
  AttributeDefinition,
  EntityType,
  MigrationStep,
  RelationDefinition,
} from '@engawa/model';
import type { Migration } from './check-migration.ts';
import type { TypeDefinition } from '../check/check-type.ts';

/** Steps that may be under way at once: each is taken for every entity that is read. */
const maxSteps = 100;

/** What entities that are there would not fit, and no migration makes them fit: nothing of this may change while there are any. */
export function unfitChanges(type: EntityType, definition: TypeDefinition): FieldError[] {
  return [
    ...type.attributes.flatMap((attribute) => attributeFaults(attribute, type, definition)),
    ...unfitUnique(type, definition),
    ...type.relations.flatMap((relation) => relationFaults(relation, type, definition)),
    ...freedNameFaults(type, definition),
    ...openFaults(type, definition),
    ...(pendingSteps(type).length < maxSteps
      ? []
      : [{ path: 'body', message: `must wait: ${maxSteps} changes are under way` }]),
  ];
}

function openFaults(type: EntityType, { additional }: TypeDefinition): FieldError[] {
  if (type.additional !== true || additional === true) return [];
  const message = 'must stay true: entities may have attributes that the type does not declare';
  return [{ path: 'body.additional', message }];
}

/** The declared one that a name of the type stands for now, and where. */
function declaredAs<Declared extends { name: string }>(
  name: string,
  declared: readonly Declared[],
  { names, migration }: { names: ReadonlySet<string>; migration: Migration },
): { now: Declared | undefined; index: number } {
  const index = declared.findIndex((one) => nameBefore(names, one.name, migration) === name);
  return { now: declared[index], index };
}

function attributeFaults(
  { name, kind, of }: AttributeDefinition,
  type: EntityType,
  { attributes, migration = noMigration }: TypeDefinition,
): FieldError[] {
  const names = namesIn(type.attributes);
  const { now, index } = declaredAs(name, attributes, { names, migration });
  const path = `body.attributes[${index}]`;
  const title = JSON.stringify(name);
  if (now === undefined) return absentFaults('attributes', 'attribute', name, migration);
  if (now.kind === kind && now.of === of) return [];
  if (!isConvertible(kind, now.kind)) {
    const what = of === undefined ? kind : `${kind} of ${of}s`;
    return [{ path, message: `must let the attribute ${title} stay a ${what}` }];
  }
  if (!migration.converted.has(now.name)) {
    const message = `must let the attribute ${title} stay a ${kind}, or have \`convert\``;
    return [{ path, message }];
  }
  const isUnderWay = pendingSteps(type).some(
    (step) => step.step === 'convert' && step.name === name,
  );
  return isUnderWay
    ? [{ path, message: `must let the attribute ${title} stay a ${kind} until it is converted` }]
    : [];
}

function relationFaults(
  { name, to, many, attributes = [] }: RelationDefinition,
  type: EntityType,
  { relations, migration = noMigration }: TypeDefinition,
): FieldError[] {
  const names = namesIn(type.relations);
  const { now, index } = declaredAs(name, relations, { names, migration });
  if (now === undefined) return absentFaults('relations', 'relation', name, migration);
  if (now.to === to && (now.many || !many)) {
    return linkFaults(attributes, now, `body.relations[${index}].attributes`);
  }
  const where = `to ${many ? 'many' : 'one'} of ${JSON.stringify(to)}`;
  const message = `must let the relation ${JSON.stringify(name)} lead ${where}`;
  return [{ path: `body.relations[${index}]`, message }];
}

/** Attributes of a relation may come; those that rows have stay as they are. */
function linkFaults(
  before: NonNullable<RelationDefinition['attributes']>,
  { attributes = [] }: RelationDefinition,
  path: string,
): FieldError[] {
  return before
    .filter((link) => attributes.find(({ name }) => name === link.name)?.kind !== link.kind)
    .map(({ name, kind }) => ({
      path,
      message: `must let ${JSON.stringify(name)} stay a ${kind}`,
    }));
}

function absentFaults(
  list: string,
  what: string,
  name: string,
  { removed }: Migration,
): FieldError[] {
  if (removed.includes(name)) return [];
  const message = `must let the ${what} ${JSON.stringify(name)} stay, or name it in \`removed\``;
  return [{ path: `body.${list}`, message }];
}

/** What some entities still have under a name is no value of what gets that name anew. */
function freedNameFaults(type: EntityType, definition: TypeDefinition): FieldError[] {
  const known = namesIn([...type.attributes, ...type.relations]);
  const freed = new Set(pendingSteps(type).flatMap(freedName));
  const faultsIn = (list: 'attributes' | 'relations') =>
    definition[list].flatMap(({ name }, index) => {
      if (known.has(name) || !freed.has(name)) return [];
      const message = `must have another name until entities have lost the former ${JSON.stringify(name)}`;
      return [{ path: `body.${list}[${index}].name`, message }];
    });
  return [...faultsIn('attributes'), ...faultsIn('relations')];
}

function freedName(step: MigrationStep): string[] {
  if (step.step === 'rename') return [step.from];
  return step.step === 'remove' ? [step.name] : [];
}
