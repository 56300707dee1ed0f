export { backoff } from './client/backoff.ts';
export {
  maxBatchWriteItems,
  maxItemBytes,
  maxPageBytes,
  maxTransactionBytes,
  maxTransactionWrites,
} from './limits.ts';
export { BatchWriter } from './write/batch-writer.ts';
export type { PutCaller, PutOptions } from './write/pending-put.ts';
export { connectTable } from './setup/connect-table.ts';
export type { ConnectTableOptions } from './setup/connect-table.ts';
export type { TableLocation } from './client/dynamodb-client.ts';
export { ensureTable } from './setup/ensure-table.ts';
export { TableUnreachable } from './setup/explain.ts';
export type { EnsuredTable, EnsureTableOptions } from './setup/ensure-table.ts';
export { claimMs, isClaimable, isClaimedBy, newClaim } from './write/claim.ts';
export type { Claim } from './write/claim.ts';
export { createDevice } from './write/create-device.ts';
export type { NewDevice } from './write/create-device.ts';
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
} from './items/expression.ts';
export type { Condition, Path } from './items/expression.ts';
export { HeatMetrics } from './heat/heat-metrics.ts';
export type { HeatWatch } from './heat/heat-watch.ts';
export type { DeviceMitigation, SustainedHeat } from './heat/mitigation.ts';
export { maxConflictAttempts, retryOnConflict } from './write/retry-on-conflict.ts';
export type { ConflictOptions } from './write/retry-on-conflict.ts';
export { isRetryable } from './errors/is-retryable.ts';
export { marshal } from './items/marshal.ts';
export { mergeShards } from './shards/merge-shards.ts';
export type { MergedPage, ShardRow, ShardPage } from './shards/merge-shards.ts';
export { openTable } from './setup/open-table.ts';
export type { OpenTable } from './setup/open-table.ts';
export { queryAll, queryPages } from './read/pages.ts';
export type { QueryTarget } from './read/pages.ts';
export { pageKeyOf, projected } from './read/query-request.ts';
export type { ItemPage, PageKey, QueryRequest } from './read/query-request.ts';
export type { IndexName } from './setup/table-definition.ts';
export { indexProjection } from './setup/table-definition.ts';
export { rawItemSize } from './items/raw-item.ts';
export type { RawItem } from './items/raw-item.ts';
export { maxUnitsOfPage } from './read/read-units.ts';
export type { RawPage } from './read/raw-reader.ts';
export type { CapacityDetail } from './observe/report-capacity.ts';
export {
  ConditionFailed,
  ItemRejected,
  KeyThrottled,
  WriterClosed,
} from './errors/write-errors.ts';
export type { RejectionReason } from './errors/write-errors.ts';
export { tableLocation, tableSettings } from './setup/settings.ts';
export type { TableConfig } from './setup/settings.ts';
export { queryEachShard } from './shards/query-each-shard.ts';
export { walkShards } from './shards/walk-shards.ts';
export type { ShardedIndexKeys } from './shards/query-each-shard.ts';
export { deviceListShards } from './shards/device-lists.ts';
export { ShardMap } from './shards/shard-map.ts';
export { ShardMetrics } from './shards/shard-metrics.ts';
export { fixedShards } from './shards/shards.ts';
export type { Shards } from './shards/shards.ts';
export { isDenied, readTimeToLive } from './setup/time-to-live.ts';
export type { TimeToLive } from './setup/time-to-live.ts';
export { TableMetrics } from './observe/table-metrics.ts';
export { Table } from './table.ts';
export { unmarshal } from './items/unmarshal.ts';
export type { Check, Delete, TableItem, Put, Update, Write } from './write/write-request.ts';
export { DurableTasks } from './tasks/durable-tasks.ts';
export type { DurableTasksOptions, TaskOutcome } from './tasks/durable-tasks.ts';
