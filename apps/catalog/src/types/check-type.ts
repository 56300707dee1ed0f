import { Problem } from '@engawa/errors';
import { mostSearches } from './type-schemas.ts';
import type { Fault } from '@engawa/errors';
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
import type { TypeBody } from './type-schemas.ts';

/** What a user declares: a type without what the service keeps of it. */
export interface TypeDefinition extends Pick<EntityType, 'attributes' | 'relations' | 'fullText'> {
  searches: readonly Omit<SearchDefinition, 'layout'>[];
  rankings: readonly Omit<RankingDefinition, 'layout'>[];
}

/** The encodings of each kind; the first is the usual one. */
const encodingsOf: Record<AttributeKind, readonly [Encoding, ...Encoding[]]> = {
  text: ['text', 'collated'],
  number: ['number'],
  instant: ['instant'],
  boolean: ['boolean'],
};

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
    ...body.attributes.flatMap((attribute, index) =>
      automaticFaults(attribute, `body.attributes[${index}].automatic`),
    ),
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
    ...fullTextFaults(body, known),
  ];
  if (faults.length > 0) throw contradiction(faults);
  return definitionOf(body, known);
}

function contradiction(faults: readonly Fault[]): Problem {
  const named = faults.slice(0, 3).map(({ path, message }) => `${path} ${message}`);
  const more = faults.length > 3 ? [`and ${faults.length - 3} more`] : [];
  return new Problem('invalid-request', `${[...named, ...more].join('; ')}.`, {
    faults: faults.slice(0, mostFaults),
  });
}

function nameFaults({ attributes, relations, searches, rankings }: TypeBody): Fault[] {
  const ofEntities = [...named('attributes', attributes), ...named('relations', relations)];
  const ofQuestions = [...named('searches', searches), ...named('rankings', rankings)];
  const count = ofQuestions.length;
  return [
    ...repeated(ofEntities, 'must be of its own among attributes and relations'),
    ...ofEntities
      // Objects of the language take it for something else, in whatever reads our JSON, too.
      .filter(({ name }) => name === '__proto__')
      .map(({ path }) => ({ path, message: 'must not be "__proto__"' })),
    ...repeated(ofQuestions, 'must be of its own among searches and rankings'),
    ...(count > mostSearches
      ? [
          {
            path: 'body.searches',
            message: `must be at most ${mostSearches} together with the rankings, not ${count}`,
          },
        ]
      : []),
  ];
}

interface Named {
  name: string;
  path: string;
}

function named(list: string, definitions: readonly { name: string }[]): Named[] {
  return definitions.map(({ name }, index) => ({ name, path: `body.${list}[${index}].name` }));
}

function repeated(names: readonly Named[], message: string): Fault[] {
  const seen = new Set<string>();
  return names.flatMap(({ name, path }) => {
    if (seen.has(name)) return [{ path, message }];
    seen.add(name);
    return [];
  });
}

function automaticFaults(
  { kind, required, automatic }: TypeBody['attributes'][number],
  path: string,
): Fault[] {
  if (automatic === undefined) return [];
  if (kind !== 'instant') return [{ path, message: `must be of an instant, not of a ${kind}` }];
  return required ? [{ path, message: 'must not be of one that is required of users' }] : [];
}

type PartBody = TypeBody['searches'][number]['parts'][number];

interface PartsPlace {
  path: string;
  known: Known;
}

function partsFaults(parts: readonly PartBody[], { path, known }: PartsPlace): Fault[] {
  const seen = new Set<string>();
  return parts.flatMap((part, index) => {
    const name = part.attribute ?? part.relation;
    const faults = partFaults(part, { path: `${path}[${index}]`, known });
    if (name === undefined || faults.length > 0) return faults;
    if (seen.has(name)) return [{ path: `${path}[${index}]`, message: 'is there already' }];
    seen.add(name);
    return [];
  });
}

function partFaults({ attribute, as, relation }: PartBody, { path, known }: PartsPlace): Fault[] {
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
  const kind = known.attributes.get(attribute ?? '')?.kind;
  if (kind === undefined) {
    return [{ path: `${path}.attribute`, message: 'must be an attribute of the type' }];
  }
  if (as === undefined || encodingsOf[kind].includes(as)) return [];
  const allowed = encodingsOf[kind].join(' or ');
  return [{ path: `${path}.as`, message: `must be ${allowed}: the attribute is a ${kind}` }];
}

interface KindPlace extends PartsPlace {
  kinds: readonly AttributeKind[];
}

function kindFaults(attribute: string, { path, known, kinds }: KindPlace): Fault[] {
  const kind = known.attributes.get(attribute)?.kind;
  if (kind === undefined) return [{ path, message: 'must be an attribute of the type' }];
  if (kinds.includes(kind)) return [];
  return [{ path, message: `must be of kind ${kinds.join(' or ')}, not ${kind}` }];
}

function fullTextFaults({ fullText }: TypeBody, known: Known): Fault[] {
  const names = fullText.map((name, index) => ({ name, path: `body.fullText[${index}]` }));
  return [
    ...repeated(names, 'is there already'),
    ...names.flatMap(({ name, path }) => kindFaults(name, { path, known, kinds: ['text'] })),
  ];
}

/** Of what has no faults. Without fields that are undefined, so that it compares equal to what is stored. */
function definitionOf(body: TypeBody, { attributes }: Known): TypeDefinition {
  const partOf = ({ attribute, as, relation }: PartBody): SearchPart => {
    const kind = attribute === undefined ? undefined : attributes.get(attribute)?.kind;
    if (attribute === undefined || kind === undefined) return { relation: relation ?? '' };
    return { attribute, as: as ?? encodingsOf[kind][0] };
  };
  return {
    attributes: body.attributes.map(({ automatic, ...attribute }) => ({
      ...attribute,
      ...(automatic !== undefined && { automatic }),
    })),
    relations: body.relations,
    searches: body.searches.map(({ name, parts }) => ({ name, parts: parts.map(partOf) })),
    rankings: body.rankings,
    fullText: body.fullText,
  };
}
