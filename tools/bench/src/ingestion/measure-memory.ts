import { setTimeout as sleep } from 'node:timers/promises';
import { chartHeap, startMosquitto } from '@engawa/testing';
import { connectAsync } from 'mqtt';
import { IngestionProcess } from './ingestion-process.ts';
import { unlimited } from './rig.ts';
import { Worker } from '../worker.ts';
import { messageOf } from '../workload.ts';
import type { PublisherMethods } from '../children/publisher.ts';
import type { Finding } from '../report.ts';
import type { IngestionOptions } from './options.ts';
import type { IngestionRig } from './rig.ts';
import type { Workload } from '../workload.ts';

const megabyte = 1024 * 1024;
/** Readings of a message. */
const shapes = [1, 60, 150, 300, 1000];
/** Milliseconds that the table takes for a batch. */
const delays = [500, 0];
/** Milliseconds between two samples. */
const sampleIntervalMs = 250;
const clientId = 'bench-memory';

interface Case {
  readings: number;
  delay: number;
  backlogMegabytes: number;
}

interface Peaks {
  rss: number;
  /** Within the first minute: where memory grows with time, it is less. */
  firstRss: number;
  heap: number;
  /** Messages that were held at once. */
  held: number;
  /** Readings that were stored while it was watched, and seconds of that. */
  stored: number;
  seconds: number;
}

/**
 * The most memory that ingestion takes with the heap that the chart gives it, while it works off
 * what Mosquitto has queued for it: for messages of few and many readings, and tables that answer
 * at once and late (and keep nothing).
 */
export async function measureMemory(
  rig: IngestionRig,
  options: IngestionOptions,
  print: (line: string) => void,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const backlogMegabytes of options.backlogs) {
    for (const delay of delays) {
      for (const readings of shapes) {
        const which = { readings, delay, backlogMegabytes };
        const peaks = await measureCase(rig, which, options.minutes * 60_000);
        const finding = findingOf(which, peaks);
        print(`${finding.what}: ${finding.measured}`);
        findings.push(finding);
      }
    }
  }
  return findings;
}

async function measureCase(rig: IngestionRig, which: Case, watchMs: number): Promise<Peaks> {
  const mosquitto = await startMosquitto({ settings: unlimited });
  try {
    await queue(mosquitto.url, which);
    return await rig.withSlowTable(which.delay, async (environment) => {
      const connection = { MQTT_URL: mosquitto.url, MQTT_VERSION: '5', MQTT_CLIENT_ID: clientId };
      const ingestion = await IngestionProcess.start(
        { ...rig.environment, ...environment, ...connection },
        chartHeap().nodeOptions,
      );
      try {
        return await watch(ingestion, watchMs);
      } finally {
        await ingestion.close();
      }
    });
  } finally {
    await mosquitto.close();
  }
}

/** Leaves a session with queued messages. */
async function queue(url: string, { readings, backlogMegabytes }: Case): Promise<void> {
  const session = { clientId, clean: false, protocolVersion: 5 as const };
  const properties = { sessionExpiryInterval: 86_400 };
  const subscriber = await connectAsync(url, { ...session, properties });
  await subscriber.subscribeAsync('engawa/+/readings', { qos: 1 });
  await subscriber.endAsync();
  const publisher = await Worker.start<PublisherMethods>('publisher', { url });
  const start = Date.now();
  const workload: Workload = {
    topic: 'engawa',
    prefix: 'memory',
    devices: 100,
    readings,
    start,
    step: 1000,
  };
  const bytes = messageOf(workload, 0).payload.length;
  const count = Math.ceil((backlogMegabytes * megabyte) / bytes);
  try {
    await publisher.call('publish', { workload, from: 0, count });
  } finally {
    await publisher.close();
  }
}

/** Until all is stored, or for as long as it is watched. @throws Error when ingestion ends */
async function watch(ingestion: IngestionProcess, watchMs: number): Promise<Peaks> {
  const begin = performance.now();
  const peaks: Peaks = { rss: 0, firstRss: 0, heap: 0, held: 0, stored: 0, seconds: 0 };
  let isDone = false;
  while (!isDone && performance.now() - begin < watchMs) {
    await sleep(sampleIntervalMs);
    const metrics = await ingestion.metrics();
    const held = metrics.sum('engawa_ingest_unacknowledged_messages');
    const stored = metrics.sum('engawa_ingest_readings_total');
    peaks.rss = Math.max(peaks.rss, metrics.sum('process_resident_memory_bytes'));
    if (performance.now() - begin < 60_000) peaks.firstRss = peaks.rss;
    peaks.heap = Math.max(peaks.heap, metrics.sum('nodejs_heap_size_used_bytes'));
    peaks.held = Math.max(peaks.held, held);
    isDone = stored > 0 && held === 0 && stored === peaks.stored;
    peaks.stored = stored;
    peaks.seconds = (performance.now() - begin) / 1000;
  }
  return peaks;
}

function findingOf({ readings, delay, backlogMegabytes }: Case, peaks: Peaks): Finding {
  const { limitMegabytes } = chartHeap();
  const rss = peaks.rss / megabyte;
  const firstRss = (peaks.firstRss / megabyte).toFixed(0);
  const rate = peaks.stored / peaks.seconds;
  return {
    what: `memory, ${backlogMegabytes} MB of messages of ${readings}, table after ${delay} ms: most RSS; heap, MB`,
    measured:
      `${rss.toFixed(0)} (in the first minute ${firstRss}); ${(peaks.heap / megabyte).toFixed(0)} ` +
      `(${peaks.held} messages held, ${rate.toFixed(0)} readings/s for ${peaks.seconds.toFixed(0)} s)`,
    baseline: '',
    ratio: '',
    target: `< ${limitMegabytes}`,
    reached: rss < limitMegabytes,
  };
}
