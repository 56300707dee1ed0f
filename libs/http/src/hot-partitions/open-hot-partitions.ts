import { randomUUID } from 'node:crypto';
import { systemLookUp } from './resolve-addresses.ts';
import { hotPartitionRoutes } from './hot-partition-routes.ts';
import { PeerMetrics } from './peer-metrics.ts';
import { PeerPass } from '../guards/peer-tokens.ts';
import { PeerWatch } from './peer-poller.ts';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { HttpConfig } from '../settings/http-settings.ts';
import type { Route } from '../route/route.ts';
import type { WatchedHeat } from './peer-poller.ts';

/** What a service is built from, as far as its hot partitions need it. */
export interface HotPartitionContext {
  config: Pick<HttpConfig, 'HOT_PARTITION_PEERS' | 'CURSOR_SECRET'>;
  log: Logger;
  registry: Registry;
  onClose: (name: string, close: () => void) => void;
}

/** The routes that tell of hot partitions; and, until the service closes, what other processes know of them is learned. */
export function openHotPartitions(
  { config, log, registry, onClose }: HotPartitionContext,
  heat: WatchedHeat,
): Route[] {
  const { HOT_PARTITION_PEERS: peers, CURSOR_SECRET: secret } = config;
  const process = randomUUID();
  const metrics = new PeerMetrics(registry);
  if (peers.length > 0) {
    const pass = secret === undefined ? undefined : new PeerPass(secret);
    const asking = { heat, peers, lookUp: systemLookUp, process, pass, metrics, log };
    const watch = new PeerWatch(asking);
    onClose('peers', () => watch.close());
  }
  return hotPartitionRoutes({ report: (limit, keys) => heat.report(limit, keys), peers, process });
}
