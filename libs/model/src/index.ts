export { additionField } from './catalog/additions.ts';
export { annotationAttributes, annotationsOf } from './places/annotations.ts';
export type { Annotations, Labels } from './places/annotations.ts';
export { isMemberSet, memberName, storedMember, storedSet } from './catalog/attribute-value.ts';
export type {
  AttributeValue,
  JsonValue,
  MemberSet,
  ScalarValue,
  SetMember,
} from './catalog/attribute-value.ts';
export { birthItem, parseBirth } from './devices/birth.ts';
export type { Birth, BirthMetric } from './devices/birth.ts';
export {
  blockItem,
  blockProjection,
  blockReadings,
  isBlockItem,
  maxBlockBytes,
  newestOf,
  sentAtOf,
  blockSpanOf,
  contentHash,
  firstDelivery,
} from './readings/block.ts';
export { afterBlocks, randomOrigin } from './readings/block-name.ts';
export type { BlockReceipt } from './readings/block-name.ts';
export { compareLatest, effectiveTime, tolerableAheadMs } from './readings/clock-ahead.ts';
export {
  maxBlockSpanMs,
  packInSlices,
  packReadings,
  readingUnits,
} from './readings/pack-readings.ts';
export type { BlockItem, ProjectedBlock } from './readings/block.ts';
export { parkedBlockItem, parseParkedBlock } from './readings/parked-block.ts';
export type { ParkedBlock, ParkedBlockItem } from './readings/parked-block.ts';
export {
  deadLetterDay,
  deadLetterId,
  deadLetterPrefix,
  formerDeadLetterPrefix,
} from './dead-letters/dead-letter-id.ts';
export {
  deadLetterDeliveryItem,
  deadLetterItems,
  deadLetterPartBytes,
  deadLettersSpreadItem,
  parseDeadLetter,
  parseDeadLetterHead,
  wholeDeadLetter,
} from './dead-letters/dead-letter.ts';
export { deadLetterReasons } from './dead-letters/dead-letter-reason.ts';
export type { DeadLetterReason } from './dead-letters/dead-letter-reason.ts';
export { partDocuments } from './dead-letters/partly-stored.ts';
export type { LeftOutValue, PartlyStored, PartsOfReadings } from './dead-letters/partly-stored.ts';
export type { DetailCode } from './dead-letters/detail-code.ts';
export type { DeadLetter, DeadLetterHead, UserProperties } from './dead-letters/dead-letter.ts';
export {
  correctionItem,
  correctionOperations,
  isSameCorrection,
  maxCorrectionBytes,
  parseCorrection,
} from './corrections/correction.ts';
export {
  appliedRanges,
  correctionStateDocument,
  cutCorrections,
} from './corrections/correction-state.ts';
export {
  correctionLengths,
  maxLengthOf,
  correctionRowKeyOf,
  correctionWeight,
  noCorrectionRows,
  touchingRows,
  withCorrectionRow,
} from './corrections/correction-rows.ts';
export type { CorrectionRows } from './corrections/correction-rows.ts';
export type { Correction, CorrectionOperation, CorrectionRange } from './corrections/correction.ts';
export type { CorrectionCut, CorrectionState } from './corrections/correction-state.ts';
export { Decimal, parseNumber } from './values/decimal.ts';
export type { ExactNumber } from './values/decimal.ts';
export {
  correctionId,
  deviceId,
  entityId,
  entityTypeName,
  idSchema,
  placeId,
  roomId,
} from './values/ids.ts';
export {
  aheadAttributes,
  deviceAttributes,
  deviceItem,
  isListed,
  nameAttributes,
  neverSeen,
  parseDevice,
  readingPartitions,
  seenAttributes,
  seenIntervalMs,
} from './devices/device.ts';
export type { ClockAhead, Device, ListShards } from './devices/device.ts';
export { compareNumbers, difference, ExactSum } from './summaries/exact-sum.ts';
export { FieldSummary, heldFor, maxHoldMs } from './summaries/field-summary.ts';
export type { CounterRules, HeldValues, TimedValue } from './summaries/field-summary.ts';
export type { ResetMarks } from './summaries/summary.ts';
export { attributeRowItem, entityItem, parseAttributeRow, parseEntity } from './catalog/entity.ts';
export type { AttributeRowItem, Entity } from './catalog/entity.ts';
export {
  attributeKinds,
  linkAttributeKinds,
  encodings,
  entityTypeItem,
  memberKinds,
  parseEntityType,
} from './catalog/entity-type.ts';
export type {
  AttributeDefinition,
  AttributeKind,
  Encoding,
  EntityType,
  FilterDefinition,
  MemberKind,
  MigrationStep,
  RankingDefinition,
  LinkAttributeDefinition,
  RelationDefinition,
  SearchDefinition,
  SearchPart,
} from './catalog/entity-type.ts';
export { eventAttributes, eventOf } from './readings/event.ts';
export type { DeviceEvent } from './readings/event.ts';
export { itemSize, valueSize } from './values/item-size.ts';
export type { Document, DocumentValue } from './values/item-size.ts';
export { parseExactJson, UnfitNumber } from './values/json.ts';
export { mergePatch } from './values/merge-patch.ts';
export { deviceKinds, kindOf } from './devices/kind.ts';
export type { DeviceKind } from './devices/kind.ts';
export {
  keyOf,
  parsePlace,
  parseRoom,
  placeItem,
  placeNameAttributes,
  roomItem,
  roomNameAttributes,
} from './places/place.ts';
export type { Place, Room } from './places/place.ts';
export {
  isCurrent,
  membershipItem,
  parseMembership,
  parsePlacement,
  placementItem,
} from './devices/placement.ts';
export type { Membership, Placement } from './devices/placement.ts';
export { maxParts, partsOf, partWidth } from './values/parted-items.ts';
export { quantityUnits, unitOf } from './readings/quantity.ts';
export type { Quantity } from './readings/quantity.ts';
export { contentOf, identityOf } from './readings/reading.ts';
export { compareReceipt, sortedUnique } from './readings/sort-readings.ts';
export { runSlicedWork } from './values/sliced-work.ts';
export type { SlicedWork } from './values/sliced-work.ts';
export type { Fields, FieldValue, Reading } from './readings/reading.ts';
export {
  bucketStart,
  closedBuckets,
  invalidRollupItem,
  isClosed,
  openBucketsFrom,
  parseRollup,
  rollupGraceMs,
  rollupItems,
  rollupWidths,
} from './summaries/rollup.ts';
export type { Bucket, Rollup, RollupWidth } from './summaries/rollup.ts';
export {
  epochDocuments,
  parseEpochs,
  parseFamilyShards,
  shrinkDocument,
} from './devices/shard-epochs.ts';
export { parseSketches, sketchesItems, sketchWidths } from './summaries/sketch-item.ts';
export type { StoredSketches } from './summaries/sketch-item.ts';
export { sketchError } from './summaries/sketch.ts';
export { addSketches, decodeSummary, encodeSummary, Summary } from './summaries/summary.ts';
export { parseTime } from './values/time.ts';
export {
  erasedAttributes,
  inheritedAttributes,
  tombstoneFields,
  tombstoneItem,
  tombstoneOf,
  unlessDeleted,
} from './places/tombstone.ts';
export type { Tombstone } from './places/tombstone.ts';
export { parseTextRow, textRowItem } from './catalog/text-row.ts';
export type { FilterValue, TextRow } from './catalog/text-row.ts';
export { parseUniqueValue, uniqueValueItem } from './catalog/unique-value.ts';
export type { OwnedValue } from './catalog/unique-value.ts';
export {
  linkAttributesOf,
  parseRelation,
  relationItem,
  relationsOf,
} from './catalog/relation-row.ts';
export type { LinkAttributes, RelationRow, StagedRelations } from './catalog/relation-row.ts';
