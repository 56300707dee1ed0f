import { describeWith } from '@engawa/testing';
import { dashboards } from '../src/dashboards/index.ts';
import { oneWorld } from './one-world.ts';
import { modelOf, queryOf } from './panel-query.ts';
import { play } from './rules/promtool.ts';

/** What each query gives after nine minutes of that world, all of its series added up: worked out by hand. */
const shown: Readonly<Record<string, number>> = {
  'overview: Firing alerts (A)': 1,
  'overview: Replicas up (A)': 4,
  'overview: Error budget left (A)': -98,
  'overview: Readings stored (A)': 60,
  'overview: Hot partitions (A)': 1,
  'overview: What fires (A)': 1,
  'overview: Requests (A)': 40,
  'overview: Answered with 5xx (A)': 0.1,
  'overview: Time to answer (A)': 0.135,
  'overview: Time to answer (B)': 1.931,
  'overview: Time to answer, by route (A)': 1.931,
  'overview: From received to done (A)': 30,
  'overview: From received to done (B)': 29,
  'overview: In flight (A)': 12,
  'overview: Time until durable (A)': 0.055,
  'overview: Time until durable (B)': 0.9,
  'overview: CPU (A)': 0.6,
  'overview: Memory (A)': 1500,
  'overview: Event loop lag (A)': 0.06,
  'overview: Garbage collection (A)': 0.06,
  'overview: Search is behind by (A)': 5,
  'overview: Looks for changes (A)': 1,
  'overview: Looks for changes (B)': 3,
  'overview: Entities in the index (A)': 10,
  'overview: Time to make the index (A)': 15,
  'ingestion: Messages by decoder and outcome (A)': 29,
  'ingestion: Readings stored (A)': 60,
  'ingestion: Readings over HTTP (A)': 3,
  'ingestion: Blocks written (A)': 15,
  'ingestion: Readings in a block (A)': 4,
  'ingestion: Not yet durable (A)': 12,
  'ingestion: The oldest that is not durable (A)': 4,
  'ingestion: Time until durable (A)': 0.055,
  'ingestion: Time until durable (B)': 0.099,
  'ingestion: Time until durable (C)': 0.9,
  'ingestion: Time until durable, all messages (A)': 19.4,
  'ingestion: Memory of what is not yet durable (A)': 0.75,
  'ingestion: Dead letters kept in an hour (A)': 108,
  'ingestion: Dead letters ended in an hour (A)': 72,
  'ingestion: Parked blocks (A)': 3,
  'ingestion: Parked blocks (B)': 2,
  'ingestion: Oldest parked block (A)': 40,
  'ingestion: Queries for parked blocks (A)': 3,
  'ingestion: Unaccounted for (A)': 528,
  'ingestion: Bookkeeping (A)': 3,
  'ingestion: Connected (A)': 1,
  'ingestion: Connections made (A)': 4,
  'ingestion: Sessions lost (A)': 4,
  'ingestion: Self tests failed (A)': 2,
  'ingestion: Sparkplug rebirths requested (A)': 4,
  'hot-partitions: Share of what a partition takes (A)': 0.9,
  'hot-partitions: The hottest keys now (A)': 0.9,
  'hot-partitions: The hottest keys now (B)': 150,
  'hot-partitions: The hottest keys now (C)': 4,
  'hot-partitions: The hottest key of one process (A)': 0.5,
  'hot-partitions: Units by key (A)': 150,
  'hot-partitions: Throttles by key (A)': 4,
  'hot-partitions: Throttled, by what it concerns (A)': 3,
  'hot-partitions: Throttled, by reason (A)': 3,
  'hot-partitions: Throttled, by operation (A)': 3,
  'hot-partitions: Keys that a family is spread over (A)': 8,
  'hot-partitions: Times that a family got more keys (A)': 3,
  'hot-partitions: Looks at the shard map (A)': 1,
  'table-cost: On-demand, an hour (A)': 0.315,
  'table-cost: On-demand, a day (A)': 7.56,
  'table-cost: On-demand, a month (A)': 229.95,
  'table-cost: Provisioned, a month (A)': 94.9,
  'table-cost: On-demand, an hour, by service (A)': 0.315,
  'table-cost: Units to provision (A)': 428.571,
  'table-cost: Write units by operation and index (A)': 100,
  'table-cost: Read units by operation and index (A)': 200,
  'table-cost: Write units per reading (A)': 1.667,
  'table-cost: Read units per request (A)': 10,
  'table-cost: Attempts by outcome (A)': 6,
  'table-cost: Attempts by operation (A)': 6,
  'table-cost: Items given back (A)': 3,
  'table-cost: Time of an attempt, half of them (A)': 0.055,
  'table-cost: Time of an attempt, 99 of 100 (A)': 0.9,
};

const queries = dashboards().flatMap(({ name: dashboard }) =>
  modelOf(dashboard).panels.flatMap(({ title, targets = [] }) =>
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
  it('shows what it says', () => {
    const values = queries.map(({ name, query }) => ({
      at: '9m',
      expression: `round(sum(${query}), 0.001)`,
      is: [{ labels: '{}', value: shown[name] ?? 0 }],
    }));
    play({ series: oneWorld, values });
  });
});
