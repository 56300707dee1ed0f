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

/** A count of what there is none of is no series, and a stat would go on showing what it was before. */
const none = `0 * sum(${series('up')})`;

/** Numbers of now, and what is wrong by name. */
export function wellBeing(): Panel[] {
  return [
    stat({
      title: 'Alerts firing',
      description:
        'How many alerts of this release fire now. Good: 0. Else the table below lists them, with their runbooks.',
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
        'Share of the error budget of 30 days that is left, by service, at the traffic so far. Good: near 100 %. Below 0 the objective is missed. “Error rate” shows what uses it up. Where Prometheus keeps less than 30 days, earlier failures are not counted.',
      unit: 'percentunit',
      queries: [{ expr: series(errorBudgetLeft), legend: '{{component}}' }],
      width: 7,
      limits: { lowIsBad: true, warning: 0.5, critical: 0.1 },
    }),
    stat({
      title: 'Readings stored',
      description:
        'Readings stored a second. Good: what your devices usually send. Nothing, while they send: look at the ingestion dashboard.',
      unit: 'suffix:readings/s',
      queries: [
        { expr: `sum(${rate('engawa_ingest_readings_total')}) or ${none}`, legend: 'readings' },
      ],
    }),
    stat({
      title: 'Hot partitions',
      description:
        'Keys of which all processes together use 70 % or more of what one partition takes. Good: 0. Else the list of them is on the hot partitions dashboard, with what to do.',
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
      'Replicas of each service that are ready, of how many there are to be. Fewer: one has crashed, is not scheduled, or waits for something (Unmet requirements): kubectl get pods.',
    unit: 'short',
    queries: [
      {
        // Without the rules nothing knows how many there are to be.
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
        'Requests a second, by service. A sudden fall is as bad as a flood: the clients may not get through.',
      unit: 'reqps',
      queries: [{ expr: rateBy('component', requestCount), legend: '{{component}}' }],
      width: 12,
    }),
    timeseries({
      title: 'Error rate',
      description:
        'Share of requests answered by a 5xx, over five minutes. Good: below the objective. 503 means that the table throttles or is away, or too much at once: look at the table cost and hot partitions dashboards.',
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

/** As the rules of the error budget have it: also failures that were all over before they were scraped once. */
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
        'Percentiles of request duration by service. When both rise, everything is slower: look at attempts of the table, and at the processes below. p99 alone: a few requests are expensive, see the routes beside this.',
      unit: 's',
      queries: [
        { expr: quantile(0.5, 'component', requestSeconds), legend: '{{component}} p50' },
        { expr: quantile(0.99, 'component', requestSeconds), legend: '{{component}} p99' },
      ],
      width: 8,
    }),
    timeseries({
      title: 'Request duration by route (p99)',
      description:
        '99th percentile of request duration by route, the slowest first. One route alone: it gets many requests, or its keys are hot.',
      unit: 's',
      queries: [
        {
          expr: quantile(0.99, 'component, method, route', requestSeconds),
          legend: '{{component}} {{method}} {{route}}',
        },
      ],
      many: true,
      width: 8,
    }),
    timeseries({
      title: 'Slow requests',
      description:
        'Share of requests that took longer than the latency target (monitoring.slo of the chart; 1 s unless it is set), over five minutes. Good: below 1 %, or what the objective allows.',
      unit: 'percentunit',
      queries: [{ expr: series(slowRatio('5m')), legend: '{{component}}' }],
      width: 8,
    }),
  ];
}

/** What comes in over MQTT, what becomes of it, and how fast. */
export function messages(): Panel[] {
  return [
    timeseries({
      title: 'Messages received and processed',
      description:
        'Messages received a second, and what became of them. Good: received and stored are one line. A gap between them is in flight; dead letters and dropped ones are on the ingestion dashboard, with the reasons.',
      unit: 'mps',
      queries: [
        { expr: `sum(${rate('engawa_ingest_received_messages_total')})`, legend: 'received' },
        { expr: rateBy('outcome', 'engawa_ingest_messages_total'), legend: '{{outcome}}' },
      ],
    }),
    timeseries({
      title: 'Messages in flight',
      description:
        'Messages received and not yet durable. Good: few, and coming and going. Rising: the table takes less than comes in; nothing is lost, the broker keeps what is not acknowledged.',
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
        'From the receipt of a message until all of it is durable. Good: about as long as a write takes, and up to a second for a device that is packed. Seconds: throttled, or the table is away.',
      unit: 's',
      queries: [
        { expr: quantile(0.5, '', 'engawa_ingest_store_seconds'), legend: 'p50' },
        { expr: quantile(0.99, '', 'engawa_ingest_store_seconds'), legend: 'p99' },
      ],
    }),
  ];
}
