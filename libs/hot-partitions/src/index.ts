export { openHotPartitions } from './open-hot-partitions.ts';
export { PeerMetrics } from './peer-metrics.ts';
export type { WatchedHeat } from './peer-poller.ts';
