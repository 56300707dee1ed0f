import { id as checkId } from '@engawa/keys';
import { itemSize } from '@engawa/model';
import { checkAttribute } from '../../values/check-attribute.ts';
import { keyed, ValueFault } from '../../values/value-error.ts';
import type { RelationDefinition, ScalarValue } from '@engawa/model';
import type { LinkChange } from '../relations/relation-attributes.ts';

/** What is said of one relation. */
export interface Related {
  ids: readonly string[];
  /** By the id of the other entity: what is said of the attributes of the relation to it. */
  links: ReadonlyMap<string, LinkChange>;
}

/** Bytes of the attributes of one relation to one entity, with their names. */
const maxLinkBytes = 1024;

/** The ids that a relation leads to. @throws ValueFault */
export function checkRelation(relation: RelationDefinition, value: unknown): Related {
  // Who knows it as a relation to one means the only one.
  const given = relation.many && typeof value === 'string' ? [value] : value;
  if (relation.many) return checkLinks(relation, given, { isWhole: true });
  if (typeof value !== 'string') throw new ValueFault('must be the id of the other entity');
  return { ids: [keyed(() => checkId('id', value))], links: new Map() };
}

/**
 * A list of different ids, or of objects of an id and attributes of the relation. These are all of them with `isWhole`,
 * otherwise those that change, and null takes one away. @throws ValueFault
 */
export function checkLinks(
  relation: RelationDefinition,
  value: unknown,
  { isWhole }: { isWhole: boolean },
): Related {
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

/** A list of different ids. @throws ValueFault */
export function checkIds(value: unknown): readonly string[] {
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
  if (!isList) throw new ValueFault('must be a list of ids of the other entities');
  const ids = value.map((one) => keyed(() => checkId('id', one)));
  if (new Set(ids).size < ids.length) throw new ValueFault('must not name one id twice');
  return ids;
}

function readEntry(entry: unknown): { id: unknown; attributes?: unknown } {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return { id: entry };
  const { id, attributes, ...rest } = entry as Record<string, unknown>;
  if (Object.keys(rest).length > 0) {
    throw new ValueFault('must have ids, or objects of `id` and `attributes` alone');
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
    throw new ValueFault(`must have \`attributes\` ${where} that are an object`);
  }
  const values = new Map<string, ScalarValue | null>();
  for (const [name, value] of Object.entries(attributes)) {
    const definition = definitions.find((one) => one.name === name.normalize('NFC'));
    if (definition === undefined) {
      throw new ValueFault(`has no attribute ${JSON.stringify(name.toWellFormed())}, ${where}`);
    }
    const isRemoved = value === null && !isWhole;
    // Of these kinds, no value is more than a scalar.
    const checked = isRemoved ? null : (named(definition, value, where) as ScalarValue);
    values.set(definition.name, checked);
  }
  if (itemSize(Object.fromEntries(values)) <= maxLinkBytes) return values;
  throw new ValueFault(`must have at most ${maxLinkBytes} bytes of attributes ${where}`);
}

function named(definition: Parameters<typeof checkAttribute>[0], value: unknown, where: string) {
  try {
    return checkAttribute(definition, value);
  } catch (error) {
    if (!(error instanceof ValueFault)) throw error;
    throw new ValueFault(`has a ${definition?.name ?? ''} ${where} that ${error.message}`);
  }
}
