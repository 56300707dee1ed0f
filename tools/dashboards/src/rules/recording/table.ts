import { series } from '../../series.ts';
import type { RecordingRule } from '../rule.ts';

/** What the table takes, and what it turns away. No series where there is nothing to divide by. */
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
    // One that has two reasons counts twice, so this may be a little over 1.
    record: 'component:engawa_table_throttled_attempts:ratio_rate5m',
    expr: `(
  sum by (namespace, release, component) (rate(${series('engawa_table_throttled_attempts_total')}[5m]))
  or 0 * ${series('component:engawa_table_attempts:rate5m')}
)
/ (${series('component:engawa_table_attempts:rate5m')} > 0)`,
  },
];
