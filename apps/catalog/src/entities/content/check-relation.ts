import { id as checkId } from '@engawa/keys';
import { itemSize } from '@engawa/model';
import { checkAttribute } from '../../values/check-attribute.ts';
import { asValueError, ValueError } from '../../values/value-error.ts';
import type { RelationDefinition, ScalarValue } from '@engawa/model';
import type { LinkChange } from '../relations/relation-attributes.ts';

/** A relation of the request. */
export interface CheckedRelation {
  ids: readonly string[];
  /** By target id: the change of the attributes of the relation. */
  links: ReadonlyMap<string, LinkChange>;
}

/** Bytes of the attributes of a relation to one target, with their names. */
export const maxLinkBytes = 1024;

/** The target ids of a relation. @throws ValueError */
export function checkRelation(relation: RelationDefinition, value: unknown): CheckedRelation {
  // A client that still knows it as a relation to one sends a single id.
  const given = relation.many && typeof value === 'string' ? [value] : value;
  if (relation.many) return checkLinks(relation, given, { isWhole: true });
  if (typeof value !== 'string') throw new ValueError('must be the id of the target entity');
  return { ids: [asValueError(() => checkId('id', value))], links: new Map() };
}

/**
 * A list of distinct ids, or of objects with an id and attributes of the relation. With `isWhole`
 * these are all attributes, otherwise those to change, and null removes one. @throws ValueError
 */
export function checkLinks(
  relation: RelationDefinition,
  value: unknown,
  { isWhole }: { isWhole: boolean },
): CheckedRelation {
  if (!Array.isArray(value)) return { ids: checkIds(value), links: new Map() };
  const entries = value.map((entry: unknown) => readEntry(entry));
  const ids = checkIds(entries.map(({ id }) => id));
  const links = new Map<string, LinkChange>();
  for (const [index, { attributes }] of entries.entries()) {
    const id = ids[index];
    if (attributes === undefined || id === undefined) continue;
    links.set(id, { isWhole, values: checkValues(relation, id, { attributes, isWhole }) });
  }
  return { ids, links };
}

/** A list of distinct ids. @throws ValueError */
export function checkIds(value: unknown): readonly string[] {
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
  if (!isList) throw new ValueError('must be a list of ids of target entities');
  const ids = value.map((one) => asValueError(() => checkId('id', one)));
  if (new Set(ids).size < ids.length) throw new ValueError('must not contain an id twice');
  return ids;
}

function readEntry(entry: unknown): { id: unknown; attributes?: unknown } {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return { id: entry };
  const { id, attributes, ...rest } = entry as Record<string, unknown>;
  if (Object.keys(rest).length > 0) {
    throw new ValueError('must have ids, or objects with only `id` and `attributes`');
  }
  return { id, attributes };
}

function checkValues(
  { attributes: definitions = [] }: RelationDefinition,
  id: string,
  { attributes, isWhole }: { attributes: unknown; isWhole: boolean },
): Map<string, ScalarValue | null> {
  const where = `of ${JSON.stringify(id)}`;
  if (typeof attributes !== 'object' || attributes === null || Array.isArray(attributes)) {
    throw new ValueError(`must have an object as \`attributes\` ${where}`);
  }
  const values = new Map<string, ScalarValue | null>();
  for (const [name, value] of Object.entries(attributes)) {
    const definition = definitions.find((one) => one.name === name.normalize('NFC'));
    if (definition === undefined) {
      throw new ValueError(`has no attribute ${JSON.stringify(name.toWellFormed())}, ${where}`);
    }
    const isRemoved = value === null && !isWhole;
    // Attributes of relations have scalar kinds only.
    const checked = isRemoved ? null : (named(definition, value, where) as ScalarValue);
    values.set(definition.name, checked);
  }
  if (itemSize(Object.fromEntries(values)) <= maxLinkBytes) return values;
  throw new ValueError(`must have at most ${maxLinkBytes} bytes of attributes ${where}`);
}

function named(
  definition: NonNullable<Parameters<typeof checkAttribute>[0]>,
  value: unknown,
  where: string,
) {
  try {
    return checkAttribute(definition, value);
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    throw new ValueError(`has a ${definition.name} ${where} that ${error.message}`);
  }
}
