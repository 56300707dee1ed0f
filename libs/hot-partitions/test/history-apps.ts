import { historyRoutes } from '../src/history-routes.ts';
import { hotPartitionRoutes } from '../src/hot-partition-routes.ts';
import { aReport, TestServers } from './hot-partition-apps.ts';
import { randomUUID } from 'node:crypto';
import { resolveHostByDns } from '@engawa/http';
import type { HeatHistoryReport, HistoryRow } from '@engawa/heat';
import type { StartedApp } from './start-app.ts';
import type { HistoryRequest } from '../src/peer-poller.ts';

export const start = '2026-11-20T09:00:00.000Z';

export function aHistory(
  rows: HistoryRow[],
  overrides: Partial<HeatHistoryReport> = {},
): HeatHistoryReport {
  return {
    resolution: 'second',
    start,
    columns: 10,
    limits: { read: 3000, write: 1000 },
    keys: 'shown',
    rows,
    reshards: [],
    ...overrides,
  };
}

export function aRow(
  partition: string,
  writes: HistoryRow['writes'],
  overrides: Partial<HistoryRow> = {},
): HistoryRow {
  const name = { index: 'table', partition, kind: 'device', merged: false };
  return { ...name, reads: [], writes, throttles: [], ...overrides };
}

interface HistoryAppOptions {
  environment?: Record<string, string>;
  peers?: readonly string[];
}

/** Processes with a fixed history. */
export class HistoryApps extends TestServers {
  async app(
    history: HeatHistoryReport,
    { environment = {}, peers = [] }: HistoryAppOptions = {},
  ): Promise<StartedApp & { requests: HistoryRequest[] }> {
    const requests: HistoryRequest[] = [];
    const report = (request: HistoryRequest): HeatHistoryReport => {
      requests.push(request);
      return history;
    };
    const options = { history: { report }, peers, resolveHost: resolveHostByDns };
    const routes = historyRoutes({ ...options, process: randomUUID() });
    return { ...(await this.serve(routes, environment)), requests };
  }

  /** A process of a version that has no history. */
  olderApp(): Promise<StartedApp> {
    return this.serve(hotPartitionRoutes({ report: () => aReport(), peers: [] }));
  }
}
