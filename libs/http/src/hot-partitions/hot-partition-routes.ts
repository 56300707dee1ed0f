import type { HeatReport } from '@engawa/heat';
import type { Route } from '../route.ts';

export interface HotPartitionOptions {
  /** What this process knows: the hottest keys, at most so many. */
  report: (limit: number) => HeatReport;
  /** Services to ask as well, by the URLs of their APIs; a name with several addresses stands for all of them. */
  peers: readonly string[];
}

/** `GET /v1/hot-partitions`, of this process, and `GET /v1/hot-partitions/merged`, of all that are known. */
export function hotPartitionRoutes(_options: HotPartitionOptions): Route[] {
  return [];
}
