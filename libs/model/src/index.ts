export {
  blockItem,
  blockReadings,
  isBlockItem,
  largestBlockBytes,
  newestOf,
  packReadings,
  spanOf,
} from './block.ts';
export type { BlockItem } from './block.ts';
export { deadLetterItems, deadLetterReasons } from './dead-letter.ts';
export type { DeadLetter, DeadLetterReason } from './dead-letter.ts';
export { Decimal, parseNumber } from './decimal.ts';
export type { ExactNumber } from './decimal.ts';
export { deviceId } from './device-id.ts';
export { deviceItem, nameAttributes, parseDevice, seenAttributes } from './device.ts';
export type { Device, ListShards } from './device.ts';
export { itemSize, valueSize } from './item-size.ts';
export type { Document, DocumentValue } from './item-size.ts';
export { parseExactJson, UnfitNumber } from './json.ts';
export { deviceKinds, kindOf } from './kind.ts';
export type { DeviceKind } from './kind.ts';
export { compareReadings, contentOf, sortedUnique } from './reading.ts';
export type { Fields, FieldValue, Reading } from './reading.ts';
export { parseTime } from './time.ts';
