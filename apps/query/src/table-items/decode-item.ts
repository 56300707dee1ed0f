import { parseKey, KeyError } from '@engawa/keys';
import {
  blockReadings,
  Decimal,
  isBlockItem,
  parseCorrection,
  parseParkedBlock,
} from '@engawa/model';
import { unmarshal } from '@engawa/table';
import { showReading } from '../schemas.ts';
import type { ItemKind, Key, ParsedKey } from '@engawa/keys';
import type { Document, DocumentValue, Reading } from '@engawa/model';
import type { RawItem } from '@engawa/table';

export interface DecodedItem {
  /** `unknown` for a key that no service of Engawa writes. */
  kind: ItemKind | 'unknown';
  decoded: {
    /** The segments of the key by their meaning. */
    key?: Record<string, unknown>;
    /** Oldest first, of an item that contains readings. */
    readings?: ReturnType<typeof showReading>[];
    /** All other attributes. */
    values?: Record<string, unknown>;
    /** Why the item could not be decoded. */
    error?: string;
  };
}

/** The attributes that contain readings, by the kind of the item; `ttl` and others remain values. */
const readingAttributes: Partial<Record<ItemKind, readonly string[]>> = {
  block: ['offsets', 'fields'],
  parkedBlock: ['offsets', 'fields', 'historical'],
  correction: ['replacement'],
  correctionRow: ['replacement'],
};

const keyAttributes = ['pk', 'sk', 'gsi1pk', 'gsi1sk', 'gsi2pk', 'gsi2sk'];

/** Decodes an item of any writer; what cannot be decoded is reported, since the raw attributes are shown as well. */
export function decodeItem(raw: RawItem): DecodedItem {
  const parsed = parsedKeyOf(raw);
  const kind = parsed?.item ?? 'unknown';
  const key = parsed && withoutNames<unknown>({ ...parsed }, ['item']);
  try {
    return { kind, decoded: { ...(key && { key }), ...contentOf(kind, unmarshal(raw)) } };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind, decoded: { ...(key && { key }), error: reason } };
  }
}

/** Undefined for a key of another writer. */
function parsedKeyOf({ pk, sk }: RawItem): ParsedKey | undefined {
  try {
    return parseKey({ pk: String(pk?.['S']), sk: String(sk?.['S']) });
  } catch (error) {
    if (error instanceof KeyError) return undefined;
    throw error;
  }
}

/** @throws Error for an item without the attributes of its kind */
function contentOf(kind: DecodedItem['kind'], item: Document): DecodedItem['decoded'] {
  const mayHaveReadings = kind !== 'unknown' && kind in readingAttributes;
  if (mayHaveReadings) expectDecodable(item);
  const readings = readingsOf(kind, item);
  const ofReadings = kind === 'unknown' || !readings ? [] : (readingAttributes[kind] ?? []);
  const values = Object.entries(withoutNames(item, [...keyAttributes, ...ofReadings]));
  return {
    ...(readings && { readings: readings.map(checkedReading).map(showReading) }),
    ...(values.length > 0 && { values: plainMap(values) }),
  };
}

function readingsOf(kind: DecodedItem['kind'], item: Document): readonly Reading[] | undefined {
  if (kind === 'parkedBlock') return parseParkedBlock(item).readings;
  if (kind === 'correction' || kind === 'correctionRow') return parseCorrection(item).readings;
  if (kind !== 'block') return undefined;
  const block: Partial<Key> = item;
  if (!isBlockItem(block)) throw new TypeError('a block without offsets or fields');
  return blockReadings(block);
}

/** @throws TypeError where another writer has stored a value that no field of a reading has */
function checkedReading(reading: Reading): Reading {
  for (const [name, value] of Object.entries<unknown>(reading.fields)) {
    const isScalar = value === null || value instanceof Decimal || typeof value !== 'object';
    if (!isScalar) throw new TypeError(`the field ${name} has a value of another type`);
  }
  return reading;
}

/** As JSON can express it: bytes in base64. */
function plain(value: DocumentValue): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object' || value instanceof Decimal) return value;
  return plainMap(Object.entries(value));
}

function plainMap(entries: readonly (readonly [string, DocumentValue])[]): Record<string, unknown> {
  return Object.fromEntries(entries.map(([name, value]) => [name, plain(value)]));
}

function withoutNames<Value>(
  map: Readonly<Record<string, Value>>,
  names: readonly string[],
): Record<string, Value> {
  return Object.fromEntries(Object.entries(map).filter(([name]) => !names.includes(name)));
}

/**
 * Maximum bytes of the decoded readings of an item, by estimate. Decoded readings repeat their field names, so that
 * 4 KB may become 200 KB.
 */
const maxDecodedBytes = 4 * 1024 * 1024;
/** Bytes of a reading without its fields, and of a value. */
const bytesOfReading = 48;
const bytesOfValue = 8;

/** @throws RangeError for an item whose decoded readings would have more bytes */
function expectDecodable(item: Document): void {
  const bytes = decodedBytes(item) + decodedBytes(item['replacement']);
  if (bytes > maxDecodedBytes)
    throw new RangeError('the readings of this item are too many to be decoded');
}

/** An upper bound for usual values, from the columns of a block. */
function decodedBytes(columns: DocumentValue | undefined): number {
  const { offsets, fields } = (columns ?? {}) as Record<string, unknown>;
  if (!Array.isArray(offsets)) return 0;
  const ofFields = Object.keys(fields ?? {}).reduce(
    (sum, name) => sum + name.length + bytesOfValue,
    bytesOfReading,
  );
  return offsets.length * ofFields;
}
