import { heatmap, timeseries } from '../panels.ts';
import { quantile, rateBy, series } from '../series.ts';
import { unaccountedMessages } from '../rules/recording/ingestion.ts';
import { growth } from '../rules/growth.ts';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';

const ofPods = 'pod=~"$pod"';
const each = (labels: string, counter: string) => rateBy(labels, counter, ofPods);

/** Counts also the first event of a series, which `rate()` and `increase()` miss. */
const inAnHour = (metric: string, by: string[] = [], ...matchers: string[]) =>
  growth({ metric, matchers: [ofPods, ...matchers], by, minutes: 60 });

export function arrival(): Panel[] {
  return [
    timeseries({
      title: 'Messages by decoder and outcome',
      description:
        'Processed messages a second. Good: nearly all are stored. A decoder whose messages all become dead letters does not understand the payloads: docs/decoders.md.',
      unit: 'mps',
      stacked: true,
      queries: [
        {
          expr: each('decoder, outcome', 'engawa_ingest_messages_total'),
          legend: '{{decoder}} {{outcome}}',
        },
      ],
    }),
    timeseries({
      title: 'Readings stored',
      description:
        'Readings stored a second, by kind of device. A kind drops to 0: its gateway is down, or its payloads cannot be decoded.',
      unit: 'suffix:readings/s',
      queries: [{ expr: each('kind', 'engawa_ingest_readings_total'), legend: '{{kind}}' }],
    }),
    timeseries({
      title: 'Readings over HTTP',
      description:
        'Readings received over HTTP a second, stored or refused. The response names the reason of each refusal; the sender has to correct it.',
      unit: 'suffix:readings/s',
      queries: [
        { expr: each('outcome', 'engawa_ingest_http_readings_total'), legend: '{{outcome}}' },
      ],
    }),
    ...packing(),
    timeseries({
      title: 'Readings ahead of their receipt in an hour',
      description:
        'Readings of the last hour whose time is more than a minute ahead of their receipt. Good: 0. More: the clock of a device, or its time zone, is wrong; the House page of the console and `clockAhead` in the registry name the devices.',
      unit: 'short',
      queries: [{ expr: inAnHour('engawa_ingest_readings_ahead_total'), legend: 'readings' }],
    }),
  ];
}

function packing(): Panel[] {
  return [
    timeseries({
      title: 'Blocks written',
      description:
        'Reading blocks written a second, by kind of device. Each costs at least a write unit.',
      unit: 'suffix:blocks/s',
      queries: [{ expr: each('kind', 'engawa_ingest_blocks_total'), legend: '{{kind}}' }],
    }),
    timeseries({
      title: 'Readings per block',
      description:
        'Average number of readings in a block, by kind of device. 1: each reading costs a write unit. Higher is cheaper; batching increases automatically under load and for hot keys.',
      unit: 'short',
      queries: [
        {
          expr: `${each('kind', 'engawa_ingest_readings_total')} / ${each('kind', 'engawa_ingest_blocks_total')}`,
          legend: '{{kind}}',
        },
      ],
    }),
  ];
}

export function storing(): Panel[] {
  return [
    timeseries({
      title: 'Messages in flight',
      description:
        'Messages received and not yet durable, by process. Good: few. At its limit a process stops reading from the broker until messages are stored: back-pressure, not loss.',
      unit: 'short',
      queries: [
        { expr: series('engawa_ingest_unacknowledged_messages', ofPods), legend: '{{pod}}' },
      ],
    }),
    timeseries({
      title: 'Memory of messages in flight',
      description:
        'Memory of readings that are not yet durable, as a share of its limit, by process and use: messages (mqtt), uploads and replays (http). At 100 % ingestion stops reading until some are stored; a larger heap raises the limit.',
      unit: 'percentunit',
      queries: [
        {
          expr: series('engawa_ingest_memory_used_ratio', ofPods),
          legend: '{{pod}} {{use}}',
        },
      ],
    }),
    timeseries({
      title: 'Age of the oldest message in flight',
      description:
        'Age of the oldest message that is not yet durable. Good: below two seconds. Rising steadily: the table is unreachable or throttles a key; the hot partitions dashboard names it.',
      unit: 's',
      queries: [
        {
          expr: series('engawa_ingest_oldest_unacknowledged_seconds', ofPods),
          legend: '{{pod}}',
        },
      ],
    }),
    ...storeTimes(),
  ];
}

function storeTimes(): Panel[] {
  return [
    timeseries({
      title: 'Time until durable (p50, p90, p99)',
      description:
        'Time from the receipt of a message until it is durable. Diverging percentiles: a few devices wait, the others do not.',
      unit: 's',
      queries: [
        ['p50', 0.5],
        ['p90', 0.9],
        ['p99', 0.99],
      ].map(([legend, share]) => ({
        expr: quantile(Number(share), '', 'engawa_ingest_store_seconds', ofPods),
        legend: String(legend),
      })),
      width: 24,
    }),
    heatmap({
      title: 'Time until durable (heatmap)',
      description:
        'Distribution of the time from receipt to durable, in messages a second. Good: one band at the bottom. A second band above it: throttled or batched messages.',
      unit: 's',
      expr: each('le', 'engawa_ingest_store_seconds_bucket'),
      width: 24,
    }),
  ];
}

/** On topics that a broker shares with other publishers they are normal; only a change matters. */
function unrecognized(): Panel {
  return timeseries({
    title: 'Unrecognized messages in an hour',
    description:
      'Messages of the last hour on default topics whose payload no decoder recognizes, by the decoder of the topic. They are acknowledged and not stored; the log names their topics. Good: none, or steady, of other publishers. New ones: a device or its firmware has payloads that Engawa does not know; docs/decoders.md.',
    unit: 'short',
    queries: [
      {
        expr: inAnHour('engawa_ingest_messages_total', ['decoder'], 'outcome="unrecognized"'),
        legend: '{{decoder}}',
      },
    ],
    width: 24,
  });
}

export function loss(): Panel[] {
  return [
    unrecognized(),
    timeseries({
      title: 'Dead letters stored in an hour',
      description:
        'Dead letters stored in the last hour, by their first reason. Good: none. They keep the payload: GET /v1/deadLetters of ingestion lists them, and they can be replayed once the cause is fixed.',
      unit: 'short',
      queries: [
        { expr: inAnHour('engawa_ingest_dead_letters_total', ['reason']), legend: '{{reason}}' },
      ],
    }),
    timeseries({
      title: 'Dead letters ended in an hour',
      description:
        'Dead letters replayed or discarded in the last hour. Dead letters that are neither replayed nor discarded expire after 14 days.',
      unit: 'short',
      queries: [
        { expr: inAnHour('engawa_ingest_dead_letters_ended_total', ['by']), legend: '{{by}}' },
      ],
    }),
    ...parking(),
    timeseries({
      title: 'Unaccounted messages',
      description:
        'Messages received, minus completed messages, minus messages in flight. Good: always 0. Any other value is a defect of Engawa; please report it with the log.',
      unit: 'short',
      signed: true,
      queries: [{ expr: series(unaccountedMessages, ofPods), legend: '{{pod}}' }],
    }),
    timeseries({
      title: 'Bookkeeping',
      description:
        'Writes a second that follow from readings: last seen and listing of a device, the last event at a place. No reading waits for these writes. Many retried: a place or device list is throttled (hot partitions). Dropped: the table refuses the write; the log of the process says why.',
      unit: 'ops',
      queries: [
        {
          expr: each('what, outcome', 'engawa_ingest_bookkeeping_total'),
          legend: '{{what}} {{outcome}}',
        },
      ],
      width: 24,
    }),
  ];
}

function parking(): Panel[] {
  return [
    timeseries({
      title: 'Parked blocks',
      description:
        'Blocks a second that are parked because the partition key of their device is throttled, and parked blocks a second that are moved to that key. Good: none; during throttling the second line follows the first.',
      unit: 'suffix:blocks/s',
      queries: [
        { expr: each('', 'engawa_ingest_parked_blocks_total'), legend: 'parked' },
        { expr: each('', 'engawa_ingest_unparked_blocks_total'), legend: 'moved' },
      ],
    }),
    timeseries({
      title: 'Oldest parked block',
      description:
        'Age of the oldest parked block. Good: 0, or minutes while a device is hot. Parked readings are durable and acknowledged; the query service returns them after their block is moved.',
      unit: 's',
      queries: [
        {
          expr: `max(${series('engawa_ingest_oldest_parked_seconds', ofPods)})`,
          legend: 'oldest',
        },
      ],
    }),
    timeseries({
      title: 'Parked-block polling rate',
      description:
        'Queries a second by which replicas poll for parked blocks that no replica is moving. Normal: 0.5 per replica, at any load.',
      unit: 'reqps',
      queries: [
        {
          // Replicas poll in bursts, half a minute apart.
          expr: `sum(rate(${series('engawa_ingest_parked_block_queries_total', ofPods)}[2m]))`,
          legend: 'queries',
        },
      ],
    }),
  ];
}
