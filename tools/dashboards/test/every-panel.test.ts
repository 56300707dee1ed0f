import { describeWith } from '@engawa/testing';
import { metricRows } from '@engawa/reference';
import { dashboards } from '../src/dashboards/index.ts';
import { oneWorld } from './one-world.ts';
import { modelOf, queryOf } from './panel-query.ts';
import { play } from './rules/promtool.ts';

/** What each query gives after nine minutes of that world, all of its series added up: worked out by hand. */
const shown: Readonly<Record<string, number>> = {
  'overview: Alerts firing (A)': 1,
  'overview: Replicas ready (A)': 1,
  'overview: Error budget left (A)': 1.965,
  'overview: Readings stored (A)': 60,
  'overview: Hot partitions (A)': 1,
  'overview: Firing alerts (A)': 480,
  'overview: Requests (A)': 40,
  'overview: Rejected tokens (A)': 0.6,
  'overview: Error rate (A)': 0.1,
  'overview: Error rate (B)': 0.001,
  'overview: Slow requests (A)': 0.105,
  'overview: Request duration (p50, p99) (A)': 0.135,
  'overview: Request duration (p50, p99) (B)': 1.931,
  'overview: Request duration by route (p99) (A)': 1.931,
  'overview: Messages received and processed (A)': 30,
  'overview: Messages received and processed (B)': 29,
  'overview: Messages in flight (A)': 12,
  'overview: Time until durable (p50, p99) (A)': 0.055,
  'overview: Time until durable (p50, p99) (B)': 0.9,
  'overview: CPU (A)': 0.6,
  'overview: Memory (A)': 1500,
  'overview: Memory (B)': 2000,
  'overview: Restarts (A)': 0,
  'overview: Broken invariants (A)': 108,
  'overview: Unmet requirements (A)': 1,
  'overview: Event loop lag (p99) (A)': 0.06,
  'overview: Garbage collection (A)': 0.06,
  'overview: Search index lag (A)': 5,
  'overview: Search index refreshes (A)': 1,
  'overview: Search index refreshes (B)': 3,
  'overview: Search index size (A)': 10,
  'overview: Search index build time (A)': 15,
  'overview: Search index on disk (A)': 40_000_000,
  'overview: Search timeouts (A)': 0.2,
  'overview: Expired entities deleted (A)': 0.4,
  'ingestion: Messages by decoder and outcome (A)': 29,
  'ingestion: Readings stored (A)': 60,
  'ingestion: Readings over HTTP (A)': 3,
  'ingestion: Blocks written (A)': 15,
  'ingestion: Readings per block (A)': 4,
  'ingestion: Messages in flight (A)': 12,
  'ingestion: Age of the oldest message in flight (A)': 4,
  'ingestion: Time until durable (p50, p90, p99) (A)': 0.055,
  'ingestion: Time until durable (p50, p90, p99) (B)': 0.099,
  'ingestion: Time until durable (p50, p90, p99) (C)': 0.9,
  'ingestion: Time until durable (heatmap) (A)': 19.4,
  'ingestion: Memory of messages in flight (A)': 0.75,
  'ingestion: Unrecognized messages in an hour (A)': 72,
  'ingestion: Dead letters stored in an hour (A)': 108,
  'ingestion: Dead letters ended in an hour (A)': 72,
  'ingestion: Readings ahead of their receipt in an hour (A)': 72,
  'ingestion: Listeners (A)': 7,
  'ingestion: Listeners (B)': 180,
  'ingestion: Live readings (A)': 3,
  'ingestion: Live readings (B)': 2,
  'ingestion: Memory of the live feed (A)': 7000,
  'ingestion: Parked blocks (A)': 3,
  'ingestion: Parked blocks (B)': 2,
  'ingestion: Oldest parked block (A)': 40,
  'ingestion: Parked-block polling rate (A)': 3,
  'ingestion: Unaccounted messages (A)': 528,
  'ingestion: Bookkeeping (A)': 3,
  'ingestion: Connected to the broker (A)': 1,
  'ingestion: Reconnects (A)': 36,
  'ingestion: Sessions lost (A)': 36,
  'ingestion: MQTT delivery check failures (A)': 1080,
  'ingestion: Takeovers (A)': 1080,
  'ingestion: Broker limits (A)': 2,
  'ingestion: Sparkplug rebirths requested (A)': 4,
  'hot-partitions: Partition utilization by key (A)': 0.9,
  'hot-partitions: Hottest keys (A)': 0.9,
  'hot-partitions: Hottest keys (B)': 150,
  'hot-partitions: Hottest keys (C)': 4,
  'hot-partitions: Highest utilization by a single process (A)': 0.5,
  'hot-partitions: Units by key (A)': 150,
  'hot-partitions: Throttles by key (A)': 4,
  'hot-partitions: Throttled attempts by scope (A)': 3,
  'hot-partitions: Throttled attempts by reason (A)': 3,
  'hot-partitions: Throttled attempts by operation (A)': 3,
  'hot-partitions: Shards by key family (A)': 8,
  'hot-partitions: Shard increases in an hour (A)': 0,
  'hot-partitions: Shard map reads (A)': 1,
  'hot-partitions: Requests among replicas (A)': 0.6,
  'table-cost: On-demand cost per hour (A)': 0.315,
  'table-cost: On-demand cost per day (A)': 7.56,
  'table-cost: On-demand cost per month (A)': 229.95,
  'table-cost: Provisioned cost per month (A)': 94.9,
  'table-cost: On-demand cost per hour by service (A)': 0.315,
  'table-cost: Units to provision (A)': 428.571,
  'table-cost: Write units by operation and index (A)': 100,
  'table-cost: Read units by operation and index (A)': 200,
  'table-cost: Write units per reading (A)': 1.667,
  'table-cost: Read units per request (A)': 10,
  'table-cost: Attempts by outcome (A)': 6,
  'table-cost: Attempts by operation (A)': 6,
  'table-cost: Unprocessed items (A)': 3,
  'table-cost: Attempt duration (p50) (A)': 0.055,
  'table-cost: Attempt duration (p99) (A)': 0.9,
};

/** Panels of other-metrics.ts follow from the declarations of their metrics. */
const generated = new Set(metricRows().map(({ name }) => name));
const isWritten = ({ title }: { title: string }): boolean => !generated.has(title);

const queries = dashboards().flatMap(({ name: dashboard }) =>
  modelOf(dashboard)
    .panels.filter(isWritten)
    .flatMap(({ title, targets = [] }) =>
      targets
        .filter(({ expr }) => expr !== undefined)
        .map(({ refId }) => ({
          name: `${dashboard}: ${title} (${refId})`,
          query: queryOf(dashboard, title, refId),
        })),
    ),
);

it('every query has a value that it has to give', () => {
  expect(queries.map(({ name }) => name).sort()).toEqual(Object.keys(shown).sort());
});

describeWith(['promtool'], 'on steady series, every panel', () => {
  it('shows the values that its title promises', () => {
    const values = queries.map(({ name, query }) => ({
      at: '9m',
      expression: `round(sum(${query}), 0.001)`,
      is: [{ labels: '{}', value: shown[name] ?? 0 }],
    }));
    play({ series: oneWorld, values });
  });
});
