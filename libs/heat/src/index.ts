export { adviseOnPartition, adviseOnThrottling } from './advice.ts';
export type { PartitionFacts } from './advice.ts';
export { Heat } from './heat.ts';
export type { HeatOptions } from './heat.ts';
export { keyNamer, keyNamings } from './key-naming.ts';
export type { KeyNamer, KeyNamerOptions, KeyNaming } from './key-naming.ts';
export { Leaders } from './leaders.ts';
export type { LeadersOptions } from './leaders.ts';
export { loadsOfOthers } from './loads-of-others.ts';
export type { OthersLoads, PartitionLoad } from './others-load.ts';
export { defaultPartitionLimits, throttlingScopes } from './partition.ts';
export type {
  HeatChange,
  OthersHeat,
  Partition,
  PartitionHeat,
  Side,
  ThrottlingCause,
  ThrottlingRate,
  ThrottlingScope,
  Unit,
} from './partition.ts';
export { explainPartition, keyFamilies } from './partition-explanation.ts';
export type { ExplainedPartition, KeyFamily } from './partition-explanation.ts';
export { kindOf, placeOfPartition } from './partition-kind.ts';
export { hotFrom } from './hot-keys.ts';
export { hottestFirst, isHot, sumUtilization } from './warmth.ts';
export type { Warm } from './warmth.ts';
export { mergeReports } from './merge-reports.ts';
export type { HeatReport, ReportedPartition, ReportedThrottling } from './report.ts';
