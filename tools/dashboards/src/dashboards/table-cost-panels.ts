import { dollarsAnHour, provisionedDollarsAnHour, provisionedUnits } from '../expressions.ts';
import { stat, timeseries } from '../panels.ts';
import { quantile, rate, rateBy } from '../series.ts';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';

const consumed = 'engawa_table_consumed_units_total';
const attemptSeconds = 'engawa_table_attempt_seconds';
const question = 'operation, index';
const ofQuestion = '{{operation}} {{index}}';
const hoursADay = 24;
const hoursAMonth = 730;

export function money(): Panel[] {
  const perTime = (title: string, hours: number, decimals: number) =>
    stat({
      title,
      description:
        'Estimated on-demand cost of the units that are consumed now, at the prices above, without storage, backups and transfer.',
      unit: 'currencyUSD',
      queries: [{ expr: `${hours} * (${dollarsAnHour()})`, legend: 'USD' }],
      decimals,
      width: 5,
    });
  return [
    perTime('On-demand cost per hour', 1, 4),
    perTime('On-demand cost per day', hoursADay, 3),
    perTime('On-demand cost per month', hoursAMonth, 2),
    stat({
      title: 'Provisioned cost per month',
      description:
        'Estimated cost of a table that is provisioned so that the highest minute shown uses 70 %. Below the on-demand cost: provisioned capacity is cheaper. Choose a time range that includes your peaks.',
      unit: 'currencyUSD',
      queries: [{ expr: `${hoursAMonth} * (${provisionedDollarsAnHour()})`, legend: 'USD' }],
      decimals: 2,
      width: 9,
    }),
    timeseries({
      title: 'On-demand cost per hour by service',
      description:
        'Estimated on-demand cost per hour of each service’s units. Shows the effect of a change on the cost of a service.',
      unit: 'currencyUSD',
      stacked: true,
      queries: [{ expr: dollarsAnHour('component'), legend: '{{component}}' }],
      width: 12,
    }),
    timeseries({
      title: 'Units to provision',
      description:
        'Units a second to provision for the table and each index, so that the highest minute of the last hour uses 70 % of them.',
      unit: 'suffix:units/s',
      queries: [{ expr: provisionedUnits('1h'), legend: '{{index}} {{unit}}' }],
      width: 12,
    }),
  ];
}

export function units(): Panel[] {
  return [
    timeseries({
      title: 'Write units by operation and index',
      description:
        'Write units a second. Writes to the table also consume write units of each index that they change. An index above the table: its key attributes change often.',
      unit: 'suffix:units/s',
      stacked: true,
      queries: [
        {
          expr: rateBy('operation, index', consumed, 'unit="write"'),
          legend: '{{operation}} {{index}}',
        },
      ],
      width: 12,
    }),
    timeseries({
      title: 'Read units by operation and index',
      description:
        'Read units a second. Units rise and requests do not: queries read longer ranges, or more shards.',
      unit: 'suffix:units/s',
      stacked: true,
      queries: [
        {
          expr: rateBy('operation, index', consumed, 'unit="read"'),
          legend: '{{operation}} {{index}}',
        },
      ],
      width: 12,
    }),
  ];
}

/** Without readings or requests there is no ratio: background reads and writes would be divided by 0. */
export function perUse(): Panel[] {
  const readers = 'component!="ingestion"';
  return [
    timeseries({
      title: 'Write units per reading',
      description:
        'All write units of ingestion, divided by stored readings. Good: well below 1. It rises when readings arrive one by one, and falls when they share blocks.',
      unit: 'short',
      queries: [
        {
          expr: `sum(${rate(consumed, 'component="ingestion"', 'unit="write"')}) / (sum(${rate('engawa_ingest_readings_total')}) > 0)`,
          legend: 'units',
        },
      ],
      width: 12,
    }),
    timeseries({
      title: 'Read units per request',
      description:
        'Average read units per request, by service. 0.5 is one small item. Rising: clients request more data, or key families have more shards.',
      unit: 'short',
      queries: [
        {
          expr: `${rateBy('component', consumed, 'unit="read"', readers)} / (${rateBy('component', 'http_server_request_duration_seconds_count', readers)} > 0)`,
          legend: '{{component}}',
        },
      ],
      width: 12,
    }),
  ];
}

export function attempts(): Panel[] {
  return [
    timeseries({
      title: 'Attempts by outcome',
      description:
        'Attempts a second, retries included, by outcome. Good: only ok. Failed attempts are retried automatically; when many fail, clients receive 503.',
      unit: 'reqps',
      stacked: true,
      queries: [{ expr: rateBy('outcome', 'engawa_table_attempts_total'), legend: '{{outcome}}' }],
    }),
    timeseries({
      title: 'Attempts by operation',
      description: 'Attempts a second, by operation and index. Engawa never sends a Scan.',
      unit: 'reqps',
      stacked: true,
      queries: [{ expr: rateBy(question, 'engawa_table_attempts_total'), legend: ofQuestion }],
    }),
    timeseries({
      title: 'Unprocessed items',
      description:
        'Items a second that DynamoDB returned as unprocessed from batches. Good: none. They are retried with backoff; the hot partitions dashboard shows their keys.',
      unit: 'ops',
      queries: [
        {
          expr: rateBy('operation', 'engawa_table_unprocessed_items_total'),
          legend: '{{operation}}',
        },
      ],
    }),
    ...latencies(),
  ];
}

function latencies(): Panel[] {
  return [
    timeseries({
      title: 'Attempt duration (p50)',
      description:
        'Median duration of an attempt. Good: a few milliseconds. Slower: a slow network, or too few connections.',
      unit: 's',
      queries: [{ expr: quantile(0.5, question, attemptSeconds), legend: ofQuestion }],
      width: 12,
    }),
    timeseries({
      title: 'Attempt duration (p99)',
      description:
        '99th percentile of the duration of an attempt. Good: tens of milliseconds. Seconds: DynamoDB is degraded, or the process lacks CPU; see “Event loop lag (p99)” in the overview.',
      unit: 's',
      queries: [{ expr: quantile(0.99, question, attemptSeconds), legend: ofQuestion }],
      width: 12,
    }),
  ];
}
