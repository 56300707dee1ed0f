import { deviceData } from './device-data.ts';
import { hotPartitions } from './hot-partitions.ts';
import { panelQueries } from '../panel-queries.ts';
import { ingestion } from './ingestion.ts';
import { otherMetrics } from './other-metrics.ts';
import { overview } from './overview.ts';
import { tableCost } from './table-cost.ts';
import type { NamedDashboard } from '../build-dashboard.ts';

export type { NamedDashboard } from '../build-dashboard.ts';

/** All dashboards, from the general to the particular. */
export function dashboards(): NamedDashboard[] {
  const details = [ingestion(), hotPartitions(), tableCost(), deviceData()];
  const queries = panelQueries([overview([]), ...details]);
  const expressions = queries.flatMap((query) => (query.kind === 'prometheus' ? query.expr : []));
  return [overview(otherMetrics(expressions)), ...details];
}
