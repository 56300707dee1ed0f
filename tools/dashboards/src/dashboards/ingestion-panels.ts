import { heatmap, timeseries } from '../panels.ts';
import { quantile, rateBy, series } from '../series.ts';
import { unaccountedMessages } from '../rules/recording/ingestion.ts';
import { growth } from '../rules/growth.ts';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';

const ofPods = 'pod=~"$pod"';
const each = (labels: string, counter: string) => rateBy(labels, counter, ofPods);

/** Also the first of a kind, whose counter is not there before: a rate would not show a single one. */
const inAnHour = (metric: string, label: string) =>
  growth({ metric, matchers: [ofPods], by: [label], minutes: 60 });

export function arrival(): Panel[] {
  return [
    timeseries({
      title: 'Messages by decoder and outcome',
      description:
        'Messages that are done with, a second. Good: nearly all are stored. A decoder that only dead-letters meets payloads that it does not know: docs/decoders.md.',
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
        'Readings stored a second, by kind of device. A kind that stops has lost its gateway, or sends what cannot be read.',
      unit: 'suffix:readings/s',
      queries: [{ expr: each('kind', 'engawa_ingest_readings_total'), legend: '{{kind}}' }],
    }),
    timeseries({
      title: 'Readings over HTTP',
      description:
        'Readings that came over HTTP, a second: stored or refused. The refused were told why in the answer; their sender has to change.',
      unit: 'suffix:readings/s',
      queries: [
        { expr: each('outcome', 'engawa_ingest_http_readings_total'), legend: '{{outcome}}' },
      ],
    }),
    ...packing(),
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
      width: 12,
    }),
    timeseries({
      title: 'Readings per block',
      description:
        'Readings that share a block, by kind of device. 1: each pays for a write of its own. More is cheaper; it rises by itself when much comes in or a key is hot.',
      unit: 'short',
      queries: [
        {
          expr: `${each('kind', 'engawa_ingest_readings_total')} / ${each('kind', 'engawa_ingest_blocks_total')}`,
          legend: '{{kind}}',
        },
      ],
      width: 12,
    }),
  ];
}

export function storing(): Panel[] {
  return [
    timeseries({
      title: 'Messages in flight',
      description:
        'Messages received and not yet durable, by process. Good: few. At its limit a process takes no more from the broker until some are stored: back-pressure, not loss.',
      unit: 'short',
      queries: [
        { expr: series('engawa_ingest_unacknowledged_messages', ofPods), legend: '{{pod}}' },
      ],
    }),
    timeseries({
      title: 'Memory of messages in flight',
      description:
        'Memory that readings take until they are durable, of what they may take, by process and use: messages (mqtt), uploads and replays (http). At 100 % nothing more is read until some are stored; a larger heap takes more at once.',
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
        'Age of the oldest message that is not yet durable. Good: below a second or two. Rising steadily: the table is away or throttles a key; the hot partitions dashboard says which.',
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
        'From receipt to durable. Percentiles that diverge mean that a few devices wait while the others flow.',
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
        'How many messages a second took how long from receipt to durable. Good: one band at the bottom. A second band above it is what was throttled or packed.',
      unit: 's',
      expr: each('le', 'engawa_ingest_store_seconds_bucket'),
      width: 24,
    }),
  ];
}

export function loss(): Panel[] {
  return [
    timeseries({
      title: 'Dead letters kept in an hour',
      description:
        'Dead letters of the last hour, by their first reason. Good: none. Their payloads are kept: GET /v1/deadLetters of ingestion shows them, and they can be replayed once the cause is mended.',
      unit: 'short',
      queries: [
        { expr: inAnHour('engawa_ingest_dead_letters_total', 'reason'), legend: '{{reason}}' },
      ],
    }),
    timeseries({
      title: 'Dead letters ended in an hour',
      description:
        'Dead letters removed in the last hour: replayed or discarded. None, while letters are kept: they expire after 14 days.',
      unit: 'short',
      queries: [
        { expr: inAnHour('engawa_ingest_dead_letters_ended_total', 'by'), legend: '{{by}}' },
      ],
    }),
    ...parking(),
    timeseries({
      title: 'Unaccounted messages',
      description:
        'Messages received, less those that are done with, less those in flight: 0, always. Anything else is a defect of Engawa; please report it with the log.',
      unit: 'short',
      signed: true,
      queries: [{ expr: series(unaccountedMessages, ofPods), legend: '{{pod}}' }],
    }),
    timeseries({
      title: 'Bookkeeping',
      description:
        'Attempts to note what follows from readings, a second: last seen and listing of a device, the last event at a place. No reading waits for it. Many retried: a place or device list is throttled (Hot partitions). Dropped: the table refuses it; the log of the process says why.',
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
        'Blocks a second that are parked because the partition key of their device is throttled, and that are moved to it afterwards. Good: none; in an episode the second line follows the first.',
      unit: 'short',
      queries: [
        { expr: each('', 'engawa_ingest_parked_blocks_total'), legend: 'parked' },
        { expr: each('', 'engawa_ingest_unparked_blocks_total'), legend: 'moved' },
      ],
    }),
    timeseries({
      title: 'Oldest parked block',
      description:
        'Age of the oldest parked block. Good: 0, or minutes while a device is hot. Parked readings are durable and acknowledged; the query service returns them once they are moved.',
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
      unit: 'short',
      queries: [{ expr: each('', 'engawa_ingest_parked_block_queries_total'), legend: 'queries' }],
    }),
  ];
}
