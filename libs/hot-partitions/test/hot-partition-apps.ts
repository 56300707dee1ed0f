import { once } from 'node:events';
import { createServer } from 'node:http';
import { TokenIssuer } from '@engawa/testing';
import { hotPartitionRoutes } from '../src/hot-partition-routes.ts';
import { startApp } from './start-app.ts';
import type { HeatReport, KeyNaming, ReportedPartition, ReportedThrottling } from '@engawa/heat';
import type { Route } from '@engawa/http';
import type { AddressInfo } from 'node:net';
import type { RequestListener, Server } from 'node:http';
import type { StartedApp } from './start-app.ts';
import type { HotPartitionOptions } from '../src/hot-partition-routes.ts';

export function aPartition(overrides: Partial<ReportedPartition> = {}): ReportedPartition {
  return {
    index: 'table',
    unit: 'write',
    partition: 'DEVICE#climate-1',
    family: 'DEVICE',
    shards: 1,
    unitsPerSecond: 100,
    uncertainty: 0,
    utilization: 0.1,
    throttlesPerSecond: {},
    advice: [],
    ...overrides,
  };
}

/** A hot key with all optional fields. */
export const hotOne = aPartition({
  index: 'gsi1',
  partition: 'LIST#DEVICE#0',
  family: 'LIST#DEVICE',
  unitsPerSecond: 50,
  uncertainty: 1.5,
  utilization: 0.05,
  throttlesPerSecond: { key_range: 12, other: 0.5 },
  hotSince: '2026-11-20T09:00:00.000Z',
  advice: ['Wait: shards are added automatically.'],
});

export const throttled: ReportedThrottling = {
  index: 'gsi1',
  unit: 'write',
  scope: 'key_range',
  reason: 'IndexWriteKeyRangeThroughputExceeded',
  perSecond: 12,
  advice: 'One key of gsi1 takes more writes than a partition does.',
};

export function aReport(overrides: Partial<HeatReport> = {}): HeatReport {
  return {
    windowSeconds: 10,
    limits: { read: 3000, write: 1000 },
    keys: 'shown',
    partitions: [],
    throttling: [],
    ...overrides,
  };
}

/** Closes the opened parts of a test, last first. */
export class TestServers {
  readonly #closers: (() => unknown)[] = [];

  async close(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await close();
  }

  async serve(
    routes: readonly Route[],
    environment: Record<string, string> = {},
  ): Promise<StartedApp> {
    const app = await startApp(routes, environment);
    this.#closers.push(() => app.close());
    return app;
  }

  async issuer(): Promise<TokenIssuer> {
    const issuer = await TokenIssuer.start();
    this.#closers.push(() => issuer.close());
    return issuer;
  }

  /** A peer with arbitrary responses. */
  async server(listener: RequestListener, host = '127.0.0.1', port = 0): Promise<string> {
    return this.listen(createServer(listener), host, port);
  }

  async listen(server: Server, host = '127.0.0.1', port = 0): Promise<string> {
    server.listen(port, host);
    await once(server, 'listening');
    this.#closers.push(async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
    const { address, family, port: given } = server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${given}`;
  }
}

/** Processes with fixed reports. */
export class HotPartitionApps extends TestServers {
  /** A process with these keys and peers. */
  async app(
    partitions: readonly ReportedPartition[],
    {
      environment = {},
      peers = [],
      resolveHost,
    }: Partial<HotPartitionOptions> & { environment?: Record<string, string> } = {},
  ) {
    const report = (limit: number, keys: KeyNaming = 'shown') =>
      aReport({ keys, partitions: partitions.slice(0, limit), throttling: [throttled] });
    const routes = hotPartitionRoutes({ report, peers, ...(resolveHost && { resolveHost }) });
    return this.serve(routes, environment);
  }
}

/** The response of a process with these keys, under any name. */
export function answering(process: string, partitions: readonly ReportedPartition[]) {
  const body = JSON.stringify({ process, ...aReport({ partitions: [...partitions] }) });
  const listener: RequestListener = (_request, response) => response.end(body);
  return listener;
}
