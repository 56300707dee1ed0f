import { stat, timeseries } from '../panels.ts';
import { quantile, rate, rateBy, series } from '../series.ts';
import { hotFrom, sharesByKey } from '../expressions.ts';
import { growth } from '../rules/growth.ts';
import { allowedErrorRatio, errorBudgetLeft, failed, slowRatio } from '../rules/recording/http.ts';
import { wantedReplicas } from '../rules/wanted.ts';
import { firingAlerts, firingCount } from './overview-alerts.ts';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';

const requestSeconds = 'http_server_request_duration_seconds';
const requestCount = `${requestSeconds}_count`;

/** PromQL's `count` of nothing is no series, and a stat would keep showing the last count. */
const none = `0 * sum(${series('up')})`;

/** Current numbers, and the firing alerts. */
export function wellBeing(): Panel[] {
  return [
    stat({
      title: 'Alerts firing',
      description:
        'Firing alerts of this release. Good: 0. The table below lists them with their runbooks.',
      unit: 'short',
      queries: [firingCount(none)],
      limits: { warning: 1 },
      none: '0',
      width: 3,
    }),
    replicasReady(),
    stat({
      title: 'Error budget left',
      description:
        'Remaining share of the 30-day error budget, by service, at the traffic so far, updated each quarter of an hour. Good: near 100 %. Below 0: the objective is missed. “Error rate” shows when the budget is spent. Where Prometheus keeps less than 30 days, earlier failures are not counted.',
      unit: 'percentunit',
      queries: [{ expr: series(errorBudgetLeft), legend: '{{component}}' }],
      width: 7,
      limits: { lowIsBad: true, warning: 0.5, critical: 0.1 },
    }),
    stat({
      title: 'Readings stored',
      description:
        'Readings stored a second. Good: the usual rate of your devices. 0 while devices send: see the ingestion dashboard.',
      unit: 'suffix:readings/s',
      queries: [
        { expr: `sum(${rate('engawa_ingest_readings_total')}) or ${none}`, legend: 'readings' },
      ],
    }),
    stat({
      title: 'Hot partitions',
      description:
        'Partition keys at 70 % or more of the throughput limit of a partition, all processes added up. Good: 0. The hot partitions dashboard lists and explains the keys.',
      unit: 'short',
      queries: [{ expr: `count(${sharesByKey()} >= ${hotFrom}) or ${none}`, legend: 'hot' }],
      limits: { warning: 1 },
      none: '0',
      width: 3,
    }),
    firingAlerts(),
  ];
}

function replicasReady(): Panel {
  const ready = `(
  sum by (component) (${series('engawa_ready')})
  or 0 * sum by (component) (${series(wantedReplicas)})
)`;
  const wanted = `count_values by (component) ("wanted", ${series(wantedReplicas)})`;
  return stat({
    title: 'Replicas ready',
    description:
      'Ready replicas of each service, and the desired number. Fewer: a replica has crashed, is not scheduled, or has an unmet requirement (panel “Unmet requirements”): kubectl get pods.',
    unit: 'short',
    queries: [
      {
        // The chart's rules record the desired number; without them it is unknown.
        expr: `${ready}
* on (component) group_left (wanted) (0 * ${wanted} + 1)
or label_replace(${ready}, "wanted", "?", "", "") unless on (component) ${wanted}`,
        legend: '{{component}}, of {{wanted}}',
      },
    ],
    limits: { lowIsBad: true, critical: 1 },
    width: 7,
  });
}

/** Rate, errors and durations of the HTTP APIs. */
export function requests(): Panel[] {
  return [
    timeseries({
      title: 'Requests',
      description:
        'Requests a second, by service. A sudden drop can mean that clients cannot reach the service.',
      unit: 'reqps',
      queries: [{ expr: rateBy('component', requestCount), legend: '{{component}}' }],
      width: 12,
    }),
    timeseries({
      title: 'Error rate',
      description:
        'Share of requests answered with 5xx, over five minutes. Good: below the objective. 503: the table throttles or is unreachable, or the service is overloaded; see the dashboards table cost and hot partitions.',
      unit: 'percentunit',
      queries: [
        {
          expr: shareOfFailed(),
          legend: '{{component}}',
        },
        { expr: series(allowedErrorRatio), legend: 'objective' },
      ],
      width: 12,
    }),
    ...durations(),
  ];
}

/** As in the rules of the error budget: counts also failures that began and ended between two scrapes. */
function shareOfFailed(): string {
  const [failures, all] = [failed, []].map((matchers) =>
    growth({ metric: requestCount, matchers, by: ['component'], minutes: 5 }),
  );
  return `(${failures} or 0 * ${all})\n/ ${all}`;
}

function durations(): Panel[] {
  return [
    timeseries({
      title: 'Request duration (p50, p99)',
      description:
        'Percentiles of request duration by service. Both rise: every request is slower; see the attempts of the table and the resources below. Only p99 rises: a few requests are expensive; see the routes below.',
      unit: 's',
      queries: [
        { expr: quantile(0.5, 'component', requestSeconds), legend: '{{component}} p50' },
        { expr: quantile(0.99, 'component', requestSeconds), legend: '{{component}} p99' },
      ],
      width: 12,
    }),
    timeseries({
      title: 'Slow requests',
      description:
        'Share of requests that took longer than the latency target (monitoring.slo of the chart; default 1 s), over five minutes. Good: below the objective (default 1 %).',
      unit: 'percentunit',
      queries: [{ expr: series(slowRatio('5m')), legend: '{{component}}' }],
      width: 12,
    }),
    timeseries({
      title: 'Request duration by route (p99)',
      description:
        '99th percentile of request duration by route, the slowest first. Only one route is slow: its requests are large, or its keys are hot.',
      unit: 's',
      queries: [
        {
          expr: quantile(0.99, 'component, method, route', requestSeconds),
          legend: '{{component}} {{method}} {{route}}',
        },
      ],
      many: true,
      width: 24,
    }),
  ];
}

/** MQTT messages: rate, outcome, latency. */
export function messages(): Panel[] {
  return [
    timeseries({
      title: 'Messages received and processed',
      description:
        'Messages received a second, and processed messages by outcome. Good: the lines received and stored coincide. A gap: messages are in flight. The ingestion dashboard shows dead letters and dropped messages with their reasons.',
      unit: 'mps',
      queries: [
        { expr: `sum(${rate('engawa_ingest_received_messages_total')})`, legend: 'received' },
        { expr: rateBy('outcome', 'engawa_ingest_messages_total'), legend: '{{outcome}}' },
      ],
    }),
    timeseries({
      title: 'Messages in flight',
      description:
        'Messages received and not yet durable. Good: few. Rising: messages arrive faster than the table accepts writes. No message is lost: the broker keeps unacknowledged messages.',
      unit: 'short',
      queries: [
        {
          expr: `sum(${series('engawa_ingest_unacknowledged_messages')})`,
          legend: 'in flight',
        },
      ],
    }),
    timeseries({
      title: 'Time until durable (p50, p99)',
      description:
        'Time from the receipt of a message until all of its readings are durable. Good: the time of one write, plus up to a second of linger for batched devices. Seconds: DynamoDB throttles or is unreachable.',
      unit: 's',
      queries: [
        { expr: quantile(0.5, '', 'engawa_ingest_store_seconds'), legend: 'p50' },
        { expr: quantile(0.99, '', 'engawa_ingest_store_seconds'), legend: 'p99' },
      ],
    }),
  ];
}
