export { KeyError } from './key-error.ts';
export { compareBytes, byteLength } from './byte-order.ts';
export { decodeTuple, encodeSegment, encodeTuple, tryDecodeTuple, tuplePrefix } from './tuple.ts';
export * from './shards.ts';
export * from './family-shards.ts';

export { withoutAccents } from './segments/accents.ts';
export { collated, cutToFit } from './segments/collated.ts';
export { descending } from './segments/descending.ts';
export { earliestInstant, instant, latestInstant, parseInstant } from './segments/instant.ts';
export { exactNumber, parseExactNumber } from './segments/exact-number.ts';
export { number } from './segments/number.ts';
export { id, normalText, wellFormedText } from './segments/text.ts';
export { isPeriod, periodBounds, periodLengths, periodOf } from './segments/period.ts';
export type { PeriodLength } from './segments/period.ts';
export { ulid } from './segments/ulid.ts';

export * from './table/birth.ts';
export * from './table/dead-letter.ts';
export * from './table/device.ts';
export * from './table/entity.ts';
export * from './table/purge-job.ts';
export * from './table/expiry.ts';
export type { Gsi1Key, Gsi2Key, Key, SortKeyRange } from './table/key.ts';
export * from './table/parked-block.ts';
export { maxPartitionKeyBytes, maxSortKeyBytes } from './table/key.ts';
export { parseKey } from './table/parse-key.ts';
export type { ParsedKey } from './table/parse-key.ts';
export * from './table/place.ts';
export * from './table/session.ts';
export * from './table/shard-family.ts';
export * from './table/shard-map.ts';
export * from './table/unique-value.ts';

export { isKeyOf, isPartitionOf } from './families/key-form.ts';
export { keyIndexes } from './families/key-family.ts';
export type { ItemKind, KeyFamily, KeyIndex } from './families/key-family.ts';
export { tableFamilies } from './families/table-families.ts';
