export { adviseOnPartition, adviseOnThrottling } from './advice.ts';
export type { PartitionFacts } from './advice.ts';
export { adviceCodes, adviceText } from './advice-texts.ts';
export type { Advice, AdviceCode } from './advice-texts.ts';
export type { AdviceValues } from './advice-values.ts';
export { Heat } from './heat.ts';
export type { HeatOptions } from './heat.ts';
export { keyNamer, keyNamings } from './key-naming.ts';
export type { KeyNamer, KeyNamerOptions, KeyNaming } from './key-naming.ts';
export { Leaders } from './leaders.ts';
export type { LeadersOptions } from './leaders.ts';
export { sumPeerLoads } from './sum-peer-loads.ts';
export type { PeerLoadReport, PartitionLoad } from './peer-loads.ts';
export { defaultPartitionLimits, throttlingScopes } from './partition.ts';
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
} from './partition.ts';
export { explainPartition, explainThrottling } from './partition-explanation.ts';
export type { ExplainedPartition } from './partition-explanation.ts';
export { keyFamilies, partitionKinds } from './key-families.ts';
export type { KeyFamily } from './key-families.ts';
export { reasonCodes } from './partition-reason.ts';
export { kindOf, placeOfPartition } from './partition-kind.ts';
export { hotFrom } from './hot-keys.ts';
export { hottestFirst, isHot, sumUtilization } from './hotness-order.ts';
export type { RankedPartition } from './hotness-order.ts';
export { mergeReports } from './merge-reports.ts';
export type {
  HeatReport,
  ReportedAdvice,
  ReportedPartition,
  ReportedThrottling,
} from './report.ts';
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
