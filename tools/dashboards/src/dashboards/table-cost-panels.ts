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
        'What the units that are consumed now would cost on-demand, at the prices above; without storage, backups and transfer. The bill is AWS’s.',
      unit: 'currencyUSD',
      queries: [{ expr: `${hours} * (${dollarsAnHour()})`, legend: 'USD' }],
      decimals,
      width: 5,
    });
  return [
    perTime('On-demand, an hour', 1, 4),
    perTime('On-demand, a day', hoursADay, 3),
    perTime('On-demand, a month', hoursAMonth, 2),
    stat({
      title: 'Provisioned, a month',
      description:
        'What a table would cost that is provisioned for the highest minute shown, used to 70 %. Less than on-demand: use is even enough for it. Choose a time that has your peaks.',
      unit: 'currencyUSD',
      queries: [{ expr: `${hoursAMonth} * (${provisionedDollarsAnHour()})`, legend: 'USD' }],
      decimals: 2,
      width: 9,
    }),
    timeseries({
      title: 'On-demand, an hour, by service',
      description:
        'Whose units cost how much an hour. It shows which service a change has made dearer or cheaper.',
      unit: 'currencyUSD',
      stacked: true,
      queries: [{ expr: dollarsAnHour('component'), legend: '{{component}}' }],
      width: 12,
    }),
    timeseries({
      title: 'Units to provision',
      description:
        'Units a second that the table and each index would have to be provisioned with, for the highest minute of the last hour to use 70 % of them.',
      unit: 'short',
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
        'Write units a second. Units of an index are those that writes to the table cost there. An index that takes more than the table has items that change it often.',
      unit: 'short',
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
        'Read units a second. Queries that grow without more requests read more items than they show: long ranges, or many shards.',
      unit: 'short',
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

/** Only where there are some: reading and writing goes on while nobody asks, and would be endlessly much of nothing. */
export function perUse(): Panel[] {
  const readers = 'component!="ingestion"';
  return [
    timeseries({
      title: 'Write units per reading',
      description:
        'Write units that ingestion takes for each reading that it stores, all in all. Good: well below 1. It rises when readings come one by one, and falls when they are packed.',
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
        'Read units that a request of each service takes on average. Half a unit is one small item. When it rises, clients ask for more, or families have got more shards.',
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
        'Attempts of requests a second, retries counted too, by what became of them. Good: ok alone. Others are repeated by themselves; many of them are seen by clients as 503.',
      unit: 'reqps',
      stacked: true,
      queries: [{ expr: rateBy('outcome', 'engawa_table_attempts_total'), legend: '{{outcome}}' }],
    }),
    timeseries({
      title: 'Attempts by operation',
      description:
        'Attempts of requests a second, by operation and index asked. Each access pattern has its own number of requests; a Scan is never among them.',
      unit: 'reqps',
      stacked: true,
      queries: [{ expr: rateBy(question, 'engawa_table_attempts_total'), legend: ofQuestion }],
    }),
    timeseries({
      title: 'Unprocessed items',
      description:
        'Items a second that DynamoDB gave back from a batch that it took only in part. Good: none. They are sent again, after a pause; which keys they are of is on the hot partitions dashboard.',
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
        'Median duration of an attempt. Good: a few milliseconds. Slower: the network, or too few connections.',
      unit: 's',
      queries: [{ expr: quantile(0.5, question, attemptSeconds), legend: ofQuestion }],
      width: 12,
    }),
    timeseries({
      title: 'Attempt duration (p99)',
      description:
        '99th percentile of the duration of an attempt. Tens of milliseconds are usual. Seconds: DynamoDB is in trouble, or the process has no time; see event loop lag in the overview.',
      unit: 's',
      queries: [{ expr: quantile(0.99, question, attemptSeconds), legend: ofQuestion }],
      width: 12,
    }),
  ];
}
