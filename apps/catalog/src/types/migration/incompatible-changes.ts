import { noMigration } from './check-migration.ts';
import { isConvertible } from '../../migrations/convert-value.ts';
import { nameBefore, namesIn } from './planned-steps.ts';
import { pendingSteps } from '../../migrations/present-entity.ts';
import { incompatibleUnique } from './incompatible-unique.ts';
import type { FieldError } from '@engawa/errors';
import type {
  AttributeDefinition,
  EntityType,
  MigrationStep,
  RelationDefinition,
} from '@engawa/model';
import type { Migration } from './check-migration.ts';
import type { TypeDefinition } from '../check/check-type.ts';

/** Pending steps of a type: each is applied to every entity that is read. */
const maxPendingSteps = 100;

/**
 * Errors for changes that existing entities do not fit, and that no migration covers: not allowed while there are
 * entities.
 */
export function incompatibleChanges(type: EntityType, definition: TypeDefinition): FieldError[] {
  return [
    ...type.attributes.flatMap((attribute) => attributeErrors(attribute, type, definition)),
    ...incompatibleUnique(type, definition),
    ...type.relations.flatMap((relation) => relationErrors(relation, type, definition)),
    ...freedNameErrors(type, definition),
    ...openErrors(type, definition),
    ...(pendingSteps(type).length < maxPendingSteps
      ? []
      : [
          {
            path: 'body',
            message: `must wait: ${maxPendingSteps} changes are still being applied`,
          },
        ]),
  ];
}

function openErrors(type: EntityType, { additional }: TypeDefinition): FieldError[] {
  if (type.additional !== true || additional === true) return [];
  const message = 'must stay true: entities may have attributes that the type does not declare';
  return [{ path: 'body.additional', message }];
}

/** The declaration of a stored name, and its index. */
function declaredAs<Declared extends { name: string }>(
  name: string,
  declared: readonly Declared[],
  { names, migration }: { names: ReadonlySet<string>; migration: Migration },
): { now: Declared | undefined; index: number } {
  const index = declared.findIndex((one) => nameBefore(names, one.name, migration) === name);
  return { now: declared[index], index };
}

function attributeErrors(
  { name, kind, of }: AttributeDefinition,
  type: EntityType,
  { attributes, migration = noMigration }: TypeDefinition,
): FieldError[] {
  const names = namesIn(type.attributes);
  const { now, index } = declaredAs(name, attributes, { names, migration });
  const path = `body.attributes[${index}]`;
  const title = JSON.stringify(name);
  if (now === undefined) return absentErrors('attributes', 'attribute', name, migration);
  if (now.kind === kind && now.of === of) return [];
  if (!isConvertible(kind, now.kind)) {
    const what = of === undefined ? kind : `${kind} of ${of}s`;
    return [{ path, message: `must keep the attribute ${title} a ${what}` }];
  }
  if (!migration.converted.has(now.name)) {
    const message = `must keep the attribute ${title} a ${kind}, or set \`convert\``;
    return [{ path, message }];
  }
  const isPending = pendingSteps(type).some(
    (step) => step.step === 'convert' && step.name === name,
  );
  return isPending
    ? [
        {
          path,
          message: `must keep the attribute ${title} a ${kind} until its conversion is complete`,
        },
      ]
    : [];
}

function relationErrors(
  { name, to, many, attributes = [] }: RelationDefinition,
  type: EntityType,
  { relations, migration = noMigration }: TypeDefinition,
): FieldError[] {
  const names = namesIn(type.relations);
  const { now, index } = declaredAs(name, relations, { names, migration });
  if (now === undefined) return absentErrors('relations', 'relation', name, migration);
  if (now.to === to && (now.many || !many)) {
    return linkErrors(attributes, now, `body.relations[${index}].attributes`);
  }
  const where = `to ${many ? 'many' : 'one'} of ${JSON.stringify(to)}`;
  const message = `must keep the relation ${JSON.stringify(name)} ${where}`;
  return [{ path: `body.relations[${index}]`, message }];
}

/** Attributes of a relation may be added; existing ones must not change. */
function linkErrors(
  before: NonNullable<RelationDefinition['attributes']>,
  { attributes = [] }: RelationDefinition,
  path: string,
): FieldError[] {
  return before
    .filter((link) => attributes.find(({ name }) => name === link.name)?.kind !== link.kind)
    .map(({ name, kind }) => ({
      path,
      message: `must keep ${JSON.stringify(name)} a ${kind}`,
    }));
}

function absentErrors(
  list: string,
  what: string,
  name: string,
  { removed }: Migration,
): FieldError[] {
  if (removed.includes(name)) return [];
  const message = `must keep the ${what} ${JSON.stringify(name)}, or name it in \`removed\``;
  return [{ path: `body.${list}`, message }];
}

/** A name that a pending migration frees must not be reused: some entities still have old values under it. */
function freedNameErrors(type: EntityType, definition: TypeDefinition): FieldError[] {
  const known = namesIn([...type.attributes, ...type.relations]);
  const freed = new Set(pendingSteps(type).flatMap(freedName));
  const errorsIn = (list: 'attributes' | 'relations') =>
    definition[list].flatMap(({ name }, index) => {
      if (known.has(name) || !freed.has(name)) return [];
      const message = `must have another name until the migration of the previous ${JSON.stringify(name)} is complete`;
      return [{ path: `body.${list}[${index}].name`, message }];
    });
  return [...errorsIn('attributes'), ...errorsIn('relations')];
}

function freedName(step: MigrationStep): string[] {
  if (step.step === 'rename') return [step.from];
  return step.step === 'remove' ? [step.name] : [];
}
