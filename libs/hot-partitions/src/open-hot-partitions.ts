import { randomUUID } from 'node:crypto';
import { PeerTokens, resolveHostByDns } from '@engawa/http';
import { historyRoutes } from './history-routes.ts';
import { hotPartitionRoutes } from './hot-partition-routes.ts';
import { PeerMetrics } from './peer-metrics.ts';
import { PeerPoller } from './peer-poller.ts';
import type { HttpConfig, Route } from '@engawa/http';
import type { ServiceContext } from '@engawa/service';
import type { WatchedHeat } from './peer-poller.ts';

/** The routes that report hot partitions. Until the service closes, the reports of other processes are polled, too. */
export function openHotPartitions(
  {
    config,
    log,
    registry,
    onClose,
  }: ServiceContext<Pick<HttpConfig, 'HOT_PARTITION_PEERS' | 'CURSOR_SECRET'>>,
  heat: WatchedHeat,
): Route[] {
  const { HOT_PARTITION_PEERS: peers, CURSOR_SECRET: secret } = config;
  const process = randomUUID();
  const metrics = new PeerMetrics(registry);
  if (peers.length > 0) {
    const tokens = secret === undefined ? undefined : new PeerTokens(secret);
    const options = { heat, peers, resolveHost: resolveHostByDns, process, tokens, metrics, log };
    const poller = new PeerPoller(options);
    onClose('peers', () => poller.close());
  }
  const { history } = heat;
  return [
    ...hotPartitionRoutes({ report: (limit, keys) => heat.report(limit, keys), peers, process }),
    ...historyRoutes({ history, peers, resolveHost: resolveHostByDns, process }),
  ];
}
