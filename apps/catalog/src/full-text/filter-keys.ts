import {
  encodeSegment,
  decodeTuple,
  exactNumber,
  KeyError,
  number,
  parseExactNumber,
} from '@engawa/keys';
import { parseNumber } from '@engawa/model';
import type { FilterValue, ScalarValue, SearchPart, TextRow } from '@engawa/model';

/**
 * Encodes a value as a text whose byte order is the order of the values, so that filters, sorting and facets are the
 * same in every engine. Numbers keep all digits; the text has no NUL, at which SQLite's interface would end it.
 */
export function filterKey(value: ScalarValue): string {
  if (typeof value === 'string') return encodeSegment(value);
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'number' ? number('value', value) : exactNumber('value', value.digits);
}

/** The encoded values of a filter in one entity: a list for a set, which is never empty. */
export type FilterKeys = string | readonly string[];

/** A text row with encoded values, which can be sent to another thread. */
export interface IndexedRow extends Pick<TextRow, 'entity' | 'texts'> {
  keys: ReadonlyMap<string, FilterKeys> | undefined;
}

/** Omits values of kinds that only a later release supports. */
export function indexedRow({ entity, texts, values }: TextRow): IndexedRow {
  if (values === undefined) return { entity, texts, keys: undefined };
  const keys = [...values].flatMap(([name, value]) => {
    try {
      return [[name, filterKeys(value)] as const];
    } catch (error) {
      if (error instanceof KeyError) return [];
      throw error;
    }
  });
  return { entity, texts, keys: new Map(keys) };
}

function filterKeys(value: FilterValue): FilterKeys {
  return Array.isArray(value) ? value.map(filterKey) : filterKey(value);
}

/** Decodes a value to its compared form: collated text has lost its case. */
export function valueOfKey(part: SearchPart, key: string): ScalarValue {
  switch ('as' in part ? part.as : 'text') {
    case 'number':
      return parseNumber(parseExactNumber('value', key));
    case 'boolean':
      return key === 'true';
    default:
      return decodeTuple(key)[0];
  }
}
