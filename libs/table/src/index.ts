export { backoff } from './backoff.ts';
export { batchItems } from './key-queues.ts';
export { BatchWriter } from './batch-writer.ts';
export type { PutOptions } from './pending-put.ts';
export { connectTable } from './connect-table.ts';
export type { ConnectTableOptions } from './connect-table.ts';
export type { TableLocation } from './dynamodb-client.ts';
export { ensureTable } from './ensure-table.ts';
export { TableUnreachable } from './explain.ts';
export type { EnsuredTable, EnsureTableOptions } from './ensure-table.ts';
export { claimMs, isClaimable, isClaimedBy, newClaim } from './claim.ts';
export type { Claim } from './claim.ts';
export { createDevice } from './create-device.ts';
export type { NewDevice } from './create-device.ts';
export {
  absent,
  allOf,
  anyOf,
  contains,
  equal,
  greater,
  less,
  nonEmpty,
  not,
  present,
} from './expression.ts';
export type { Condition, Path } from './expression.ts';
export type { Batch } from './get-batch.ts';
export { HeatMetrics } from './heat/heat-metrics.ts';
export type { HeatWatch } from './heat/heat-watch.ts';
export type { DeviceMitigation, Pressure } from './heat/mitigation.ts';
export { isRetryable } from './is-retryable.ts';
export { marshal } from './marshal.ts';
export { mergeShards } from './merge-shards.ts';
export type { MergedPage, Row, ShardPage } from './merge-shards.ts';
export { openTable } from './open-table.ts';
export type { OpenTable } from './open-table.ts';
export { pageKeyOf } from './query-request.ts';
export type { IndexName, Page, PageKey, QueryRequest } from './query-request.ts';
export type { CapacityDetail } from './report-capacity.ts';
export { ConditionFailed, ItemRefused, KeyThrottled, WriterClosed } from './refusals.ts';
export type { RefusalReason } from './refusals.ts';
export { tableLocation, tableSettings } from './settings.ts';
export type { TableConfig } from './settings.ts';
export { askEachShard } from './shards/ask-each-shard.ts';
export type { Sharded } from './shards/ask-each-shard.ts';
export { deviceListShards } from './shards/device-lists.ts';
export { ShardMap } from './shards/shard-map.ts';
export { ShardMetrics } from './shards/shard-metrics.ts';
export { fixedShards } from './shards/shards.ts';
export type { Shards } from './shards/shards.ts';
export { TableMetrics } from './table-metrics.ts';
export { Table } from './table.ts';
export { unmarshalJson } from './unmarshal-json.ts';
export type { Check, Delete, Item, Put, Update, Write } from './write.ts';
