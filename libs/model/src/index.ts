export { additionField } from './additions.ts';
export { annotationAttributes, annotationsOf } from './annotations.ts';
export type { Annotations, Labels } from './annotations.ts';
export { isMemberSet, memberName, storedMember, storedSet } from './attribute-value.ts';
export type {
  AttributeValue,
  JsonValue,
  MemberSet,
  ScalarValue,
  SetMember,
} from './attribute-value.ts';
export { birthItem, parseBirth } from './birth.ts';
export type { Birth, BirthMetric } from './birth.ts';
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
} from './block.ts';
export { afterBlocks, randomOrigin } from './block-name.ts';
export type { BlockReceipt } from './block-name.ts';
export { compareLatest, effectiveTime, tolerableAheadMs } from './clock-ahead.ts';
export { maxBlockSpanMs, packInSlices, packReadings, readingUnits } from './pack-readings.ts';
export type { BlockItem, ProjectedBlock } from './block.ts';
export { parkedBlockItem, parseParkedBlock } from './parked-block.ts';
export type { ParkedBlock, ParkedBlockItem } from './parked-block.ts';
export {
  deadLetterDay,
  deadLetterId,
  deadLetterPrefix,
  formerDeadLetterPrefix,
} from './dead-letter-id.ts';
export {
  deadLetterDeliveryItem,
  deadLetterItems,
  deadLetterPartBytes,
  deadLettersSpreadItem,
  parseDeadLetter,
  parseDeadLetterHead,
  wholeDeadLetter,
} from './dead-letter.ts';
export { deadLetterReasons } from './dead-letter-reason.ts';
export type { DeadLetterReason } from './dead-letter-reason.ts';
export { partDocuments } from './partly-stored.ts';
export type { LeftOutValue, PartlyStored, PartsOfReadings } from './partly-stored.ts';
export type { DetailCode } from './detail-code.ts';
export type { DeadLetter, DeadLetterHead, UserProperties } from './dead-letter.ts';
export {
  correctionItem,
  correctionOperations,
  isSameCorrection,
  maxCorrectionBytes,
  parseCorrection,
} from './correction.ts';
export { appliedRanges, correctionStateDocument, cutCorrections } from './correction-state.ts';
export {
  correctionLengths,
  maxLengthOf,
  correctionRowKeyOf,
  correctionWeight,
  noCorrectionRows,
  touchingRows,
  withCorrectionRow,
} from './correction-rows.ts';
export type { CorrectionRows } from './correction-rows.ts';
export type { Correction, CorrectionOperation, CorrectionRange } from './correction.ts';
export type { CorrectionCut, CorrectionState } from './correction-state.ts';
export { Decimal, parseNumber } from './decimal.ts';
export type { ExactNumber } from './decimal.ts';
export {
  correctionId,
  deviceId,
  entityId,
  entityTypeName,
  idSchema,
  placeId,
  roomId,
} from './ids.ts';
export {
  aheadAttributes,
  deviceAttributes,
  deviceItem,
  isListed,
  nameAttributes,
  neverSeen,
  parseDevice,
  seenAttributes,
  seenIntervalMs,
} from './device.ts';
export type { ClockAhead, Device, ListShards } from './device.ts';
export { compareNumbers, difference, ExactSum } from './exact-sum.ts';
export { FieldSummary, heldFor, maxHoldMs } from './field-summary.ts';
export type { CounterRules, HeldValues, TimedValue } from './field-summary.ts';
export type { ResetMarks } from './summary.ts';
export { attributeRowItem, entityItem, parseAttributeRow, parseEntity } from './entity.ts';
export type { AttributeRowItem, Entity } from './entity.ts';
export {
  attributeKinds,
  linkAttributeKinds,
  encodings,
  entityTypeItem,
  memberKinds,
  parseEntityType,
} from './entity-type.ts';
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
} from './entity-type.ts';
export { eventAttributes, eventOf } from './event.ts';
export type { DeviceEvent } from './event.ts';
export { itemSize, valueSize } from './item-size.ts';
export type { Document, DocumentValue } from './item-size.ts';
export { parseExactJson, UnfitNumber } from './json.ts';
export { mergePatch } from './merge-patch.ts';
export { deviceKinds, kindOf } from './kind.ts';
export type { DeviceKind } from './kind.ts';
export {
  keyOf,
  parsePlace,
  parseRoom,
  placeItem,
  placeNameAttributes,
  roomItem,
  roomNameAttributes,
} from './place.ts';
export type { Place, Room } from './place.ts';
export {
  isCurrent,
  membershipItem,
  parseMembership,
  parsePlacement,
  placementItem,
} from './placement.ts';
export type { Membership, Placement } from './placement.ts';
export { maxParts, partsOf, partWidth } from './parted-items.ts';
export { quantityUnits, unitOf } from './quantity.ts';
export type { Quantity } from './quantity.ts';
export { contentOf, identityOf } from './reading.ts';
export { compareReceipt, sortedUnique } from './sort-readings.ts';
export { runSlicedWork } from './sliced-work.ts';
export type { SlicedWork } from './sliced-work.ts';
export type { Fields, FieldValue, Reading } from './reading.ts';
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
} from './rollup.ts';
export type { Bucket, Rollup, RollupWidth } from './rollup.ts';
export { epochDocuments, parseEpochs, parseFamilyShards, shrinkDocument } from './shard-epochs.ts';
export { parseSketches, sketchesItems, sketchWidths } from './sketch-item.ts';
export type { StoredSketches } from './sketch-item.ts';
export { sketchError } from './sketch.ts';
export { addSketches, decodeSummary, encodeSummary, Summary } from './summary.ts';
export { parseTime } from './time.ts';
export {
  erasedAttributes,
  inheritedAttributes,
  tombstoneFields,
  tombstoneItem,
  tombstoneOf,
  unlessDeleted,
} from './tombstone.ts';
export type { Tombstone } from './tombstone.ts';
export { parseTextRow, textRowItem } from './text-row.ts';
export type { FilterValue, TextRow } from './text-row.ts';
export { parseUniqueValue, uniqueValueItem } from './unique-value.ts';
export type { OwnedValue } from './unique-value.ts';
export { linkAttributesOf, parseRelation, relationItem, relationsOf } from './relation-row.ts';
export type { LinkAttributes, RelationRow, StagedRelations } from './relation-row.ts';
