export { RollupMetrics } from './aggregates/rollup-metrics.ts';
