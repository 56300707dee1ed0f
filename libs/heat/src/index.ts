export { adviseOnPartition, adviseOnThrottling } from './advice/advice.ts';
export type { PartitionFacts } from './advice/advice.ts';
export { adviceCodes, adviceText } from './advice/advice-texts.ts';
export type { Advice, AdviceCode } from './advice/advice-texts.ts';
export type { AdviceValues } from './advice/advice-values.ts';
export { Heat } from './counting/heat.ts';
export type { HeatOptions } from './counting/heat.ts';
export { keyNamer, keyNamings } from './keys/key-naming.ts';
export type { KeyNamer, KeyNamerOptions, KeyNaming } from './keys/key-naming.ts';
export { Leaders } from './counting/leaders.ts';
export type { LeadersOptions } from './counting/leaders.ts';
export { sumPeerLoads } from './reports/sum-peer-loads.ts';
export type { PeerLoadReport, PartitionLoad } from './reports/peer-loads.ts';
export { defaultPartitionLimits, throttlingScopes } from './keys/partition.ts';
export type {
  HeatChange,
  PeerHeat,
  Partition,
  PartitionHeat,
  IndexUnit,
  ThrottlingCause,
  ThrottlingRate,
  ThrottlingScope,
  Unit,
} from './keys/partition.ts';
export { explainPartition, explainThrottling } from './advice/partition-explanation.ts';
export type { ExplainedPartition } from './advice/partition-explanation.ts';
export { keyFamilies, partitionKinds } from './keys/key-families.ts';
export type { KeyFamily } from './keys/key-families.ts';
export { reasonCodes } from './advice/partition-reason.ts';
export { kindOf, placeOfPartition } from './keys/partition-kind.ts';
export { hotFrom } from './reports/hot-keys.ts';
export { hottestFirst, isHot, sumUtilization } from './reports/hotness-order.ts';
export type { RankedPartition } from './reports/hotness-order.ts';
export { mergeReports } from './reports/merge-reports.ts';
export type {
  HeatReport,
  ReportedAdvice,
  ReportedPartition,
  ReportedThrottling,
} from './reports/report.ts';
export { HeatHistory, maxHistoryBytes } from './history/heat-history.ts';
export type { RecordedRow } from './history/heat-history.ts';
export { columnMs, maxColumns, resolutions } from './history/history-report.ts';
export type {
  HeatHistoryReport,
  HistoryRow,
  HistoryWindow,
  Resolution,
  Reshard,
  SeriesRun,
} from './history/history-report.ts';
export { maxRows as maxHistoryRows } from './history/history-rows.ts';
export { maxReshards, mergeHistories } from './history/merge-histories.ts';
export { busiestRows } from './history/sum-rows.ts';
