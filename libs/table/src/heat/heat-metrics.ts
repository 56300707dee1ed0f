import type { Heat, KeyNamer } from '@engawa/heat';
import type { Registry } from 'prom-client';

export interface HeatMetricsOptions {
  heat: Heat;
  nameOf: KeyNamer;
  registry: Registry;
}

/** The hottest keys as gauges: of each index and unit ten, chosen so that they seldom change. */
export class HeatMetrics {
  constructor(_options: HeatMetricsOptions) {
    // not built yet
  }

  /** @param now as in Heat */
  update(_now: number): void {
    // not built yet
  }
}
