import type { Document, DocumentValue } from '@engawa/model';

/**
 * Maximum bytes of the decoded readings of an item, by estimate. Decoded readings repeat their field names, so that
 * 4 KB may become 200 KB.
 */
const maxDecodedBytes = 4 * 1024 * 1024;
/** Bytes of a reading without its fields, and of a value. */
const bytesOfReading = 48;
const bytesOfValue = 8;

/** @throws RangeError for an item whose decoded readings would have more bytes */
export function expectDecodable(item: Document): void {
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
