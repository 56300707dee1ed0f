import { timeseries } from '../panels.ts';
import { rateBy, series } from '../series.ts';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';

const ofPods = 'pod=~"$pod"';
const inAnHour = (metric: string) => `increase(${series(metric, ofPods)}[1h])`;
const each = (labels: string, counter: string) => rateBy(labels, counter, ofPods);

export function connection(): Panel[] {
  return [
    timeseries({
      title: 'Connected to the broker',
      description:
        '1 while every connection of the process to the broker is up. 0: the broker is unreachable or refuses the connection; the log of the process says why.',
      unit: 'short',
      max: 1,
      queries: [{ expr: series('engawa_mqtt_connected', ofPods), legend: '{{pod}}' }],
    }),
    timeseries({
      title: 'Reconnects',
      description:
        'Connections that the broker accepted in the last hour. Good: none after the start of a process. Many: two processes use one client id, or the network is unstable.',
      unit: 'short',
      queries: [
        {
          expr: inAnHour('engawa_mqtt_connects_total'),
          legend: '{{pod}}',
        },
      ],
    }),
    timeseries({
      title: 'Sessions lost',
      description:
        'Reconnects in the last hour at which the broker had no session any more. Messages that it had queued for the session are lost: make sessions persistent, with an expiry longer than any downtime.',
      unit: 'short',
      queries: [
        {
          expr: inAnHour('engawa_mqtt_sessions_lost_total'),
          legend: '{{pod}}',
        },
      ],
      limits: { critical: 1 },
    }),
    ...broker(),
    ...requests(),
  ];
}

function broker(): Panel[] {
  return [
    timeseries({
      title: 'Takeovers',
      description:
        'Connections in the last hour that another client ended by connecting with the same client identifier. Good: at most one for each restart. More: two processes have one MQTT_CLIENT_ID.',
      unit: 'short',
      queries: [{ expr: inAnHour('engawa_mqtt_takeovers_total'), legend: '{{pod}}' }],
      width: 12,
    }),
    timeseries({
      title: 'Broker limits',
      description:
        '1 for each limit of the broker that restricts the configuration, such as a shorter session expiry. Good: none. /readyz of the pod has the consequence of each.',
      unit: 'short',
      max: 1,
      queries: [{ expr: series('engawa_mqtt_broker_limits', ofPods), legend: '{{pod}} {{limit}}' }],
      width: 12,
    }),
  ];
}

function requests(): Panel[] {
  return [
    timeseries({
      title: 'MQTT delivery check failures',
      description:
        'Failed delivery checks in the last hour: ingestion published a message to itself, and the broker did not deliver it. Good: none.',
      unit: 'short',
      queries: [{ expr: inAnHour('engawa_mqtt_self_tests_failed_total'), legend: '{{pod}}' }],
      width: 12,
    }),
    timeseries({
      title: 'Sparkplug rebirths requested',
      description:
        'Requests a second to Sparkplug nodes whose data could not be resolved without a new birth. Good: none, or a few after the first start.',
      unit: 'short',
      queries: [
        { expr: each('', 'engawa_ingest_sparkplug_rebirth_requests_total'), legend: 'requests' },
      ],
      width: 12,
    }),
  ];
}
