import { stat, table, timeseries } from '../panels.ts';
import { quantile, rate, rateBy, series } from '../series.ts';
import { firing, hotFrom, sharesByKey } from '../expressions.ts';
import { growth } from '../rules/growth.ts';
import { allowedErrors, errorBudgetLeft, failed } from '../rules/recording/http.ts';
import { wantedComponents } from '../rules/wanted.ts';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';

const requestSeconds = 'http_server_request_duration_seconds';
const requestCount = `${requestSeconds}_count`;

/** A count of what there is none of is no series, and a stat would go on showing what it was before. */
const none = `0 * sum(${series('up')})`;

/** Numbers of now, and what is wrong by name. */
export function wellBeing(): Panel[] {
  return [
    stat({
      title: 'Firing alerts',
      description:
        'How many alerts of this release fire now. Good: 0. Else the list below names them; each has a runbook.',
      unit: 'short',
      queries: [{ expr: `count(${firing()}) or ${none}`, legend: 'firing' }],
      limits: { warning: 1 },
      none: '0',
      width: 3,
    }),
    replicasUp(),
    stat({
      title: 'Error budget left',
      description:
        'Of the requests that may fail in 30 days (1 of 1,000), how many have not, by service. Good: near 100 %. Below 0 the promise is broken. What burns it shows under “Answered with 5xx”. Prometheus has to keep 30 days, or it is of those that it keeps.',
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
    whatFires(),
  ];
}

function replicasUp(): Panel {
  return stat({
    title: 'Replicas up',
    description:
      'How many processes of each service Prometheus can scrape. Good: as many as are deployed. One that is missing has crashed, is not scheduled, or cannot be reached: kubectl get pods.',
    unit: 'short',
    queries: [
      {
        // One of which there are no pods left has no `up` either.
        expr: `sum by (component) (${series('up')}) or 0 * sum by (component) (${series(wantedComponents)})`,
        legend: '{{component}}',
      },
    ],
    limits: { lowIsBad: true, critical: 1 },
    width: 7,
  });
}

function whatFires(): Panel {
  return table({
    title: 'What fires',
    description:
      'The alerts that fire now, and what they are of. Good: an empty list. What to do is in docs/runbooks, by the name of the alert.',
    unit: 'short',
    queries: [{ expr: firing(), legend: '{{alertname}}' }],
    columns: [
      { from: 'alertname', title: 'alert' },
      { from: 'severity', title: 'severity' },
      { from: 'component', title: 'service' },
      { from: 'pod', title: 'pod' },
      { from: 'index', title: 'index' },
      { from: 'unit', title: 'unit' },
      { from: 'partition', title: 'partition' },
      { from: 'scope', title: 'scope' },
      { from: 'reason', title: 'reason' },
      { from: 'cause', title: 'cause' },
    ],
    sortedBy: 'severity',
    width: 24,
    height: 7,
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
      title: 'Answered with 5xx',
      description:
        'Share of requests answered by a 5xx, over five minutes. Good: below the dashed line, which is what the error budget allows for. 503 means that the table throttles or is away, or too much at once: look at the table cost and hot partitions dashboards.',
      unit: 'percentunit',
      queries: [
        {
          expr: shareOfFailed(),
          legend: '{{component}}',
        },
      ],
      limits: { critical: allowedErrors },
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
      title: 'Time to answer',
      description:
        'What half and what 99 of 100 requests of a service take at most. When both rise, everything is slower: look at attempts of the table, and at the processes below. The upper alone: a few requests are dear, see beside this.',
      unit: 's',
      queries: [
        { expr: quantile(0.5, 'component', requestSeconds), legend: '{{component}}, half' },
        { expr: quantile(0.99, 'component', requestSeconds), legend: '{{component}}, 99 of 100' },
      ],
      width: 10,
    }),
    timeseries({
      title: 'Time to answer, by route',
      description:
        'What 99 of 100 requests of a route take at most, the slowest first. One route alone: it is asked for much, or its keys are hot.',
      unit: 's',
      queries: [
        {
          expr: quantile(0.99, 'component, method, route', requestSeconds),
          legend: '{{component}} {{method}} {{route}}',
        },
      ],
      many: true,
      width: 14,
    }),
  ];
}

/** What comes in over MQTT, what becomes of it, and how fast. */
export function messages(): Panel[] {
  return [
    timeseries({
      title: 'From received to done',
      description:
        'Messages received a second, and what became of them. Good: received and stored are one line. A gap between them is in flight; dead letters and dropped ones are on the ingestion dashboard, with the reasons.',
      unit: 'mps',
      queries: [
        { expr: `sum(${rate('engawa_ingest_received_messages_total')})`, legend: 'received' },
        { expr: rateBy('outcome', 'engawa_ingest_messages_total'), legend: '{{outcome}}' },
      ],
    }),
    timeseries({
      title: 'In flight',
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
      title: 'Time until durable',
      description:
        'From the receipt of a message until all of it is durable. Good: about as long as a write takes, and up to a second for a device that is packed. Seconds: throttled, or the table is away.',
      unit: 's',
      queries: [
        { expr: quantile(0.5, '', 'engawa_ingest_store_seconds'), legend: 'half of them' },
        { expr: quantile(0.99, '', 'engawa_ingest_store_seconds'), legend: '99 of 100' },
      ],
    }),
  ];
}
