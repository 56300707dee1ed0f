import { Problem } from '@engawa/errors';
import { migrationFaults, migrationOf } from '../migration/check-migration.ts';
import { setFaults } from '../filter-layouts.ts';
import { linkFaults, withinFaults } from './relation-errors.ts';
import { nameFaults, repeated } from './name-errors.ts';
import { uniqueFaults } from './unique-errors.ts';
import type { FieldError } from '@engawa/errors';
import type {
  AttributeDefinition,
  AttributeKind,
  Encoding,
  EntityType,
  RankingDefinition,
  RelationDefinition,
  SearchDefinition,
  SearchPart,
} from '@engawa/model';
import type { Migration } from '../migration/check-migration.ts';
import type { TypeBody } from './type-schemas.ts';

/** What a user declares: a type without what the service keeps of it. */
export interface TypeDefinition extends Pick<
  EntityType,
  'attributes' | 'relations' | 'fullText' | 'additional' | 'expires'
> {
  /** Absent where there are none. */
  filters?: readonly SearchPart[];
  searches: readonly Omit<SearchDefinition, 'layout'>[];
  rankings: readonly Omit<RankingDefinition, 'layout'>[];
  /** None where it is not said. */
  migration?: Migration | undefined;
}

/** The encodings of each kind; the first is the usual one. */
const encodings: Record<AttributeKind, readonly Encoding[]> = {
  text: ['text', 'collated'],
  number: ['number'],
  instant: ['instant'],
  boolean: ['boolean'],
  list: [],
  map: [],
  set: ['text', 'collated'],
};

/** A set is searched by its members. */
function encodingsOf({ kind, of }: Pick<AttributeDefinition, 'kind' | 'of'>): readonly Encoding[] {
  return kind === 'set' && of === 'number' ? encodings.number : encodings[kind];
}

/** Nobody reads more than these. */
const mostFaults = 100;

interface Known {
  attributes: ReadonlyMap<string, AttributeDefinition>;
  relations: ReadonlyMap<string, RelationDefinition>;
}

/** The definition with all that it leaves out. @throws Problem `invalid-request` naming all that contradicts itself */
export function checkType(body: TypeBody): TypeDefinition {
  const known: Known = {
    attributes: new Map(body.attributes.map((attribute) => [attribute.name, attribute])),
    relations: new Map(body.relations.map((relation) => [relation.name, relation])),
  };
  const faults = [
    ...nameFaults(body),
    ...body.attributes.flatMap((attribute, index) => [
      ...automaticFaults(attribute, `body.attributes[${index}].automatic`),
      ...memberFaults(attribute, `body.attributes[${index}].of`),
    ]),
    ...uniqueFaults(body),
    ...body.searches.flatMap(({ parts }, index) =>
      partsFaults(parts, { path: `body.searches[${index}].parts`, known }),
    ),
    ...body.rankings.flatMap(({ attribute }, index) =>
      kindFaults(attribute, {
        path: `body.rankings[${index}].attribute`,
        known,
        kinds: ['number', 'instant'],
      }),
    ),
    ...linkFaults(body),
    ...withinFaults(body, known.relations),
    ...fullTextFaults(body, known),
    ...partsFaults(body.filters, { path: 'body.filters', known }),
    ...setFaults(body),
    ...expiresFaults(body, known),
    ...migrationFaults(body),
  ];
  if (faults.length > 0) throw contradiction(faults);
  return definitionOf(body, known);
}

function contradiction(faults: readonly FieldError[]): Problem {
  const named = faults.slice(0, 3).map(({ path, message }) => `${path} ${message}`);
  const more = faults.length > 3 ? [`and ${faults.length - 3} more`] : [];
  return new Problem('invalid-request', `${[...named, ...more].join('; ')}.`, {
    fieldErrors: faults.slice(0, mostFaults),
  });
}

function automaticFaults(
  { kind, required, automatic }: TypeBody['attributes'][number],
  path: string,
): FieldError[] {
  if (automatic === undefined) return [];
  if (kind !== 'instant') return [{ path, message: `must be of an instant, not of a ${kind}` }];
  return required ? [{ path, message: 'must not be of one that is required of users' }] : [];
}

function memberFaults({ kind, of }: TypeBody['attributes'][number], path: string): FieldError[] {
  return of === undefined || kind === 'set' ? [] : [{ path, message: 'must be of a set' }];
}

type PartBody = TypeBody['searches'][number]['parts'][number];

interface PartsPlace {
  path: string;
  known: Known;
}

function partsFaults(parts: readonly PartBody[], { path, known }: PartsPlace): FieldError[] {
  const seen = new Set<string>();
  return parts.flatMap((part, index) => {
    const name = part.attribute ?? part.relation;
    const faults = partFaults(part, { path: `${path}[${index}]`, known });
    if (name === undefined || faults.length > 0) return faults;
    if (seen.has(name)) return [{ path: `${path}[${index}]`, message: 'is there already' }];
    if (isSet(part, known) && [...seen].some((other) => isSet({ attribute: other }, known))) {
      return [{ path: `${path}[${index}]`, message: 'must not be a second set' }];
    }
    seen.add(name);
    return [];
  });
}

function isSet({ attribute }: PartBody, { attributes }: Known): boolean {
  return attribute !== undefined && attributes.get(attribute)?.kind === 'set';
}

function partFaults(
  { attribute, as, relation }: PartBody,
  { path, known }: PartsPlace,
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
    return as === undefined ? [] : [{ path: `${path}.as`, message: 'must be of an attribute' }];
  }
  const definition = known.attributes.get(attribute ?? '');
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

interface KindPlace extends PartsPlace {
  kinds: readonly AttributeKind[];
}

function kindFaults(attribute: string, { path, known, kinds }: KindPlace): FieldError[] {
  const kind = known.attributes.get(attribute)?.kind;
  if (kind === undefined) return [{ path, message: 'must be an attribute of the type' }];
  if (kinds.includes(kind)) return [];
  return [{ path, message: `must be of kind ${kinds.join(' or ')}, not ${kind}` }];
}

function fullTextFaults({ fullText }: TypeBody, known: Known): FieldError[] {
  const names = fullText.map((name, index) => ({ name, path: `body.fullText[${index}]` }));
  return [
    ...repeated(names, 'is there already'),
    ...names.flatMap(({ name, path }) => {
      const ofTexts = known.attributes.get(name)?.of !== 'number';
      const kinds: AttributeKind[] = ofTexts ? ['text', 'set'] : ['text'];
      return kindFaults(name, { path, known, kinds });
    }),
  ];
}

/** By an instant that the service writes, an entity would expire as soon as it is written. */
function expiresFaults({ expires }: TypeBody, known: Known): FieldError[] {
  if (expires === undefined) return [];
  const path = 'body.expires.attribute';
  const faults = kindFaults(expires.attribute, { path, known, kinds: ['instant'] });
  const isAutomatic = known.attributes.get(expires.attribute)?.automatic !== undefined;
  return isAutomatic ? [{ path, message: 'must not be automatic' }] : faults;
}

/** Of what has no faults. Without fields that are undefined, so that it compares equal to what is stored. */
function definitionOf(body: TypeBody, { attributes }: Known): TypeDefinition {
  const partOf = ({ attribute, as, relation }: PartBody): SearchPart => {
    const definition = attribute === undefined ? undefined : attributes.get(attribute);
    if (attribute === undefined || definition === undefined) return { relation: relation ?? '' };
    return { attribute, as: as ?? encodingsOf(definition)[0] ?? 'text' };
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
    rankings: body.rankings.map(({ within, ...ranking }) => ({
      ...ranking,
      ...(within !== undefined && { within }),
    })),
    fullText: body.fullText,
    ...(body.additional && { additional: true }),
    ...(body.filters.length > 0 && { filters: body.filters.map(partOf) }),
    ...(body.expires && { expires: body.expires }),
    migration: migrationOf(body),
  };
}
