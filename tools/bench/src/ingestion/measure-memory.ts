import { setTimeout as sleep } from 'node:timers/promises';
import { mean, slope } from '../statistics.ts';
import type { IngestionProcess } from './ingestion-process.ts';
import type { IngestionOptions } from './options.ts';
import type { Finding } from '../report.ts';
import type { Rig } from './rig.ts';
import type { Workload } from './workload.ts';

/** Milliseconds that the table takes for a batch: with 64 of 25 in flight, some 3,000 readings a second. */
const delay = 500;
/** Milliseconds between two samples. */
const interval = 5000;
/** Messages that wait at the broker, so that the window is full whatever the table takes until the next sample. */
const backlog = 40_000;
/** Milliseconds before the first sample that counts: the heap finds its size. */
const settling = 30_000;

const limitMegabytes = 256;
/** How much more the last minute may have than the first: collections come and go in between. */
const flat = 1.05;
const megabyte = 1024 * 1024;

interface Sample {
  minutes: number;
  megabytes: number;
  unacknowledged: number;
}

/** RSS of ingestion while its window is full all the time, because the table is slower than the broker. */
export function measureMemory(
  rig: Rig,
  { minutes }: IngestionOptions,
  print: (line: string) => void,
): Promise<Finding[]> {
  const settings = { LINGER_MS: '0', MQTT_CLIENT_ID: 'bench-memory' };
  return rig.withSlowTable(delay, (environment) =>
    rig.withIngestion({ ...environment, ...settings }, async (ingestion) => {
      const end = performance.now() + settling + minutes * 60_000;
      const load = new Load(rig, ingestion);
      const samples: Sample[] = [];
      const begin = performance.now() + settling;
      while (performance.now() < end) {
        await Promise.all([load.refill(), sleep(interval)]);
        const sample = await take(ingestion, (performance.now() - begin) / 60_000);
        if (sample.minutes >= 0) samples.push(sample);
        print(
          `memory, ${sample.minutes.toFixed(1)} of ${minutes} minutes: ${sample.megabytes.toFixed(0)} MB, ` +
            `${sample.unacknowledged} messages held`,
        );
      }
      return findingsOf(minutes, samples);
    }),
  );
}

/** Keeps the backlog at the broker. */
class Load {
  readonly #rig: Rig;
  readonly #ingestion: IngestionProcess;
  readonly #workload: Workload = {
    topic: 'engawa',
    prefix: 'memory',
    devices: 1000,
    readings: 1,
    start: Date.now(),
    step: 1000,
  };
  #published = 0;

  constructor(rig: Rig, ingestion: IngestionProcess) {
    this.#rig = rig;
    this.#ingestion = ingestion;
  }

  async refill(): Promise<void> {
    const { readings } = await this.#ingestion.usage();
    const count = readings + backlog - this.#published;
    const portion = { workload: this.#workload, from: this.#published, count };
    this.#published += count;
    await this.#rig.publisher.call('publish', portion);
  }
}

async function take(ingestion: IngestionProcess, minutes: number): Promise<Sample> {
  const metrics = await ingestion.metrics();
  return {
    minutes,
    megabytes: metrics.sum('process_resident_memory_bytes') / megabyte,
    unacknowledged: metrics.sum('engawa_ingest_unacknowledged_messages'),
  };
}

function findingsOf(minutes: number, samples: readonly Sample[]): Finding[] {
  const sizes = samples.map(({ megabytes }) => megabytes);
  // Of a run of a minute, its halves.
  const perMinute = Math.min(60_000 / interval, sizes.length >> 1);
  const first = mean(sizes.slice(0, perMinute));
  const last = mean(sizes.slice(-perMinute));
  const most = Math.max(...sizes);
  const rise = slope(samples.map(({ minutes: x, megabytes: y }) => ({ x, y })));
  const held = mean(samples.map(({ unacknowledged }) => unacknowledged));
  const what = `memory, window full (${held.toFixed(0)} messages held) for ${minutes} min`;
  const none = { floor: '', ratio: '' };
  return [
    {
      what: `${what}: most, MB`,
      measured: most.toFixed(0),
      ...none,
      reach: `< ${limitMegabytes}`,
      reached: most < limitMegabytes,
    },
    {
      what: 'the same: first minute → last minute, MB; MB a minute',
      measured: `${first.toFixed(0)} → ${last.toFixed(0)}; ${rise.toFixed(2)}`,
      ...none,
      reach: `last ≤ ${flat} × first`,
      reached: last <= flat * first,
    },
  ];
}
