import { series } from '../../series.ts';
import type { RecordingRule } from '../rule.ts';

/** Ratios of table requests: units per reading, and throttled attempts. A ratio with the divisor 0 has no series. */
export const tableRules: RecordingRule[] = [
  {
    record: 'release:engawa_table_write_units_per_reading:ratio_rate5m',
    expr: `sum by (namespace, release) (rate(${series('engawa_table_consumed_units_total', 'component="ingestion"', 'unit="write"')}[5m]))
/ (sum by (namespace, release) (rate(${series('engawa_ingest_readings_total')}[5m])) > 0)`,
  },
  {
    record: 'component:engawa_table_attempts:rate5m',
    expr: `sum by (namespace, release, component) (rate(${series('engawa_table_attempts_total')}[5m]))`,
  },
  {
    // An attempt with two reasons counts twice, so the ratio may slightly exceed 1.
    record: 'component:engawa_table_throttled_attempts:ratio_rate5m',
    expr: `(
  sum by (namespace, release, component) (rate(${series('engawa_table_throttled_attempts_total')}[5m]))
  or 0 * ${series('component:engawa_table_attempts:rate5m')}
)
/ (${series('component:engawa_table_attempts:rate5m')} > 0)`,
  },
];
