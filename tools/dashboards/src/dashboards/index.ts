import { deviceData } from './device-data.ts';
import { hotPartitions } from './hot-partitions.ts';
import { ingestion } from './ingestion.ts';
import { overview } from './overview.ts';
import { tableCost } from './table-cost.ts';
import type { NamedDashboard } from '../build-dashboard.ts';

export type { NamedDashboard } from '../build-dashboard.ts';

/** All of them, from the general to the particular. */
export function dashboards(): NamedDashboard[] {
  return [overview(), ingestion(), hotPartitions(), tableCost(), deviceData()];
}
