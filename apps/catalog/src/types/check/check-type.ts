import { invariant, Problem } from '@engawa/errors';
import { migrationErrors, migrationOf } from '../migration/check-migration.ts';
import { kindErrors } from './kind-errors.ts';
import { linkErrors } from './relation-errors.ts';
import { rankingErrors } from './ranking-errors.ts';
import { nameErrors, repeated } from './name-errors.ts';
import { uniqueErrors } from './unique-errors.ts';
import type { FieldError } from '@engawa/errors';
import type {
  AttributeDefinition,
  AttributeKind,
  Encoding,
  EntityType,
  RankingDefinition,
  SearchDefinition,
  SearchPart,
} from '@engawa/model';
import type { Migration } from '../migration/check-migration.ts';
import type { DeclaredFields } from './kind-errors.ts';
import type { TypeBody } from './type-schemas.ts';

/** The declaration of a type: without the properties that the service adds. */
export interface TypeDefinition extends Pick<
  EntityType,
  'attributes' | 'relations' | 'fullText' | 'additional' | 'expires'
> {
  /** Absent where there are none. */
  filters?: readonly SearchPart[];
  searches: readonly Omit<SearchDefinition, 'layout'>[];
  rankings: readonly Omit<RankingDefinition, 'layout'>[];
  /** Undefined where there is none. */
  migration?: Migration | undefined;
}

/** The encodings of each kind; the first is the default. */
const encodings: Record<AttributeKind, readonly Encoding[]> = {
  text: ['text', 'collated'],
  number: ['number'],
  instant: ['instant'],
  boolean: ['boolean'],
  list: [],
  map: [],
  set: ['text', 'collated'],
};

/** A set has the encodings of its members. */
function encodingsOf({ kind, of }: Pick<AttributeDefinition, 'kind' | 'of'>): readonly Encoding[] {
  return kind === 'set' && of === 'number' ? encodings.number : encodings[kind];
}

/** Errors in a response. */
const maxErrors = 100;

/** The definition with its defaults. @throws Problem `invalid-request` naming all contradictions */
export function checkType(body: TypeBody): TypeDefinition {
  const known: DeclaredFields = {
    attributes: new Map(body.attributes.map((attribute) => [attribute.name, attribute])),
    relations: new Map(body.relations.map((relation) => [relation.name, relation])),
  };
  const fieldErrors = [
    ...nameErrors(body),
    ...body.attributes.flatMap((attribute, index) => [
      ...automaticErrors(attribute, `body.attributes[${index}].automatic`),
      ...memberErrors(attribute, `body.attributes[${index}].of`),
    ]),
    ...uniqueErrors(body),
    ...body.searches.flatMap(({ parts }, index) =>
      partsErrors(parts, { path: `body.searches[${index}].parts`, known }),
    ),
    ...body.rankings.flatMap((ranking, index) =>
      rankingErrors(ranking, { path: `body.rankings[${index}]`, known }),
    ),
    ...linkErrors(body),
    ...fullTextErrors(body, known),
    ...partsErrors(body.filters, { path: 'body.filters', known, manySets: true }),
    ...expiresErrors(body, known),
    ...migrationErrors(body),
  ];
  if (fieldErrors.length > 0) throw contradiction(fieldErrors);
  return definitionOf(body, known);
}

function contradiction(fieldErrors: readonly FieldError[]): Problem {
  const named = fieldErrors.slice(0, 3).map(({ path, message }) => `${path} ${message}`);
  const more = fieldErrors.length > 3 ? [`and ${fieldErrors.length - 3} more`] : [];
  return new Problem('invalid-request', `${[...named, ...more].join('; ')}.`, {
    fieldErrors: fieldErrors.slice(0, maxErrors),
  });
}

function automaticErrors(
  { kind, required, automatic }: TypeBody['attributes'][number],
  path: string,
): FieldError[] {
  if (automatic === undefined) return [];
  if (kind !== 'instant') return [{ path, message: `must be on an instant, not on a ${kind}` }];
  return required ? [{ path, message: 'must not be on a required attribute' }] : [];
}

function memberErrors({ kind, of }: TypeBody['attributes'][number], path: string): FieldError[] {
  return of === undefined || kind === 'set' ? [] : [{ path, message: 'must be on a set' }];
}

type PartBody = TypeBody['searches'][number]['parts'][number];

interface PartsContext {
  path: string;
  known: DeclaredFields;
  /** Whether several parts may be sets. */
  manySets?: boolean;
}

function partsErrors(
  parts: readonly PartBody[],
  { path, known, manySets }: PartsContext,
): FieldError[] {
  const seen = new Set<string>();
  return parts.flatMap((part, index) => {
    const name = part.attribute ?? part.relation;
    const fieldErrors = partErrors(part, { path: `${path}[${index}]`, known });
    if (name === undefined || fieldErrors.length > 0) return fieldErrors;
    if (seen.has(name)) return [{ path: `${path}[${index}]`, message: 'is a duplicate' }];
    const isFurtherSet =
      isSet(part, known) && [...seen].some((other) => isSet({ attribute: other }, known));
    if (isFurtherSet && manySets !== true) {
      return [
        { path: `${path}[${index}]`, message: 'must not be a set: another part is a set already' },
      ];
    }
    seen.add(name);
    return [];
  });
}

function isSet({ attribute }: PartBody, { attributes }: DeclaredFields): boolean {
  return attribute !== undefined && attributes.get(attribute)?.kind === 'set';
}

function partErrors(
  { attribute, as, relation }: PartBody,
  { path, known }: PartsContext,
): FieldError[] {
  if ((attribute === undefined) === (relation === undefined)) {
    return [{ path, message: 'must have either an attribute or a relation' }];
  }
  if (relation !== undefined) {
    const many = known.relations.get(relation)?.many;
    if (many === undefined) {
      return [{ path: `${path}.relation`, message: 'must be a relation of the type' }];
    }
    if (many) return [{ path: `${path}.relation`, message: 'must be a relation to one' }];
    return as === undefined ? [] : [{ path: `${path}.as`, message: 'must be on an attribute' }];
  }
  const definition = attribute === undefined ? undefined : known.attributes.get(attribute);
  if (definition === undefined) {
    return [{ path: `${path}.attribute`, message: 'must be an attribute of the type' }];
  }
  const allowed = encodingsOf(definition);
  const { kind } = definition;
  if (allowed.length === 0) {
    return [{ path: `${path}.attribute`, message: `must not be a ${kind}` }];
  }
  if (as === undefined || allowed.includes(as)) return [];
  const message = `must be ${allowed.join(' or ')}: the attribute is a ${kind}`;
  return [{ path: `${path}.as`, message }];
}

function fullTextErrors({ fullText }: TypeBody, known: DeclaredFields): FieldError[] {
  const names = fullText.map((name, index) => ({ name, path: `body.fullText[${index}]` }));
  return [
    ...repeated(names, 'is a duplicate'),
    ...names.flatMap(({ name, path }) => {
      const hasTextMembers = known.attributes.get(name)?.of !== 'number';
      const kinds: AttributeKind[] = hasTextMembers ? ['text', 'set'] : ['text'];
      return kindErrors(name, { path, known, kinds });
    }),
  ];
}

/** An automatic instant would expire an entity as soon as it is written. */
function expiresErrors({ expires }: TypeBody, known: DeclaredFields): FieldError[] {
  if (expires === undefined) return [];
  const path = 'body.expires.attribute';
  const fieldErrors = kindErrors(expires.attribute, { path, known, kinds: ['instant'] });
  const isAutomatic = known.attributes.get(expires.attribute)?.automatic !== undefined;
  return isAutomatic ? [{ path, message: 'must not be automatic' }] : fieldErrors;
}

/** For a valid body. Without undefined properties, so that it compares equal to the stored type. */
function definitionOf(body: TypeBody, { attributes }: DeclaredFields): TypeDefinition {
  const partOf = ({ attribute, as, relation }: PartBody): SearchPart => {
    if (attribute === undefined)
      return { relation: invariant(relation, 'a part has an attribute or a relation') };
    const definition = invariant(attributes.get(attribute), 'the attribute of a part is declared');
    const [usual] = encodingsOf(definition);
    return { attribute, as: as ?? invariant(usual, 'the attribute of a part has an encoding') };
  };
  return {
    attributes: body.attributes.map(({ name, kind, required, of, automatic, unique }) => ({
      ...{ name, kind, required },
      ...(kind === 'set' && { of: of ?? 'text' }),
      ...(automatic !== undefined && { automatic }),
      ...(unique && { unique }),
    })),
    relations: body.relations.map(({ name, to, many, attributes: links = [] }) => ({
      ...{ name, to, many },
      ...(links.length > 0 && { attributes: links }),
    })),
    searches: body.searches.map(({ name, parts }) => ({ name, parts: parts.map(partOf) })),
    rankings: body.rankings.map(({ within, ties, period, ...ranking }) => ({
      ...ranking,
      ...(ties !== undefined && { ties }),
      ...(within !== undefined && { within }),
      ...(period !== undefined && { period }),
    })),
    fullText: body.fullText,
    ...(body.additional && { additional: true }),
    ...(body.filters.length > 0 && { filters: body.filters.map(partOf) }),
    ...(body.expires && { expires: body.expires }),
    migration: migrationOf(body),
  };
}
