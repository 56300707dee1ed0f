import { setTimeout as sleep } from 'node:timers/promises';
import { startServiceProcess } from '@engawa/embedded';
import { Metrics } from '@engawa/testing';
import type { ServiceProcess } from '@engawa/embedded';

/** Milliseconds between two scrapes of /metrics: each takes about 3 ms of the measured CPU. */
const scrapeIntervalMs = 1000;
/** Milliseconds without any progress after which something is wrong. */
const stallTimeoutMs = 60_000;

/** Counters and resource usage of ingestion since its start. */
export interface Usage {
  /** Microseconds of CPU. */
  cpu: number;
  readings: number;
  blocks: number;
  deadLetters: number;
  writeUnits: number;
  writeRequests: number;
}

/** Ingestion as the process it is in production. */
export class IngestionProcess {
  readonly #process: ServiceProcess;

  static async start(
    environment: Record<string, string>,
    nodeOptions: readonly string[] = [],
  ): Promise<IngestionProcess> {
    // Most cases play readings ahead of the clock: from behind it they would be late, and late readings cost more.
    const all = { READING_MAX_AHEAD_HOURS: '8784', ...environment };
    return new IngestionProcess(
      await startServiceProcess({ service: 'ingestion', environment: all, nodeOptions }),
    );
  }

  private constructor(process: ServiceProcess) {
    this.#process = process;
  }

  metrics(): Promise<Metrics> {
    return Metrics.of(this.#process.metricsUrl);
  }

  async usage(): Promise<Usage> {
    const metrics = await this.metrics();
    return {
      cpu: metrics.cpu,
      readings: metrics.sum('engawa_ingest_readings_total'),
      blocks: metrics.sum('engawa_ingest_blocks_total'),
      deadLetters: metrics.sum('engawa_ingest_dead_letters_total'),
      writeUnits: metrics.sum('engawa_table_consumed_units_total', { unit: 'write' }),
      writeRequests: metrics.sum('engawa_table_attempts_total'),
    };
  }

  /** Resolves when this many readings are durable since its start, with its usage at that time. */
  async untilStored(readings: number): Promise<Usage> {
    let latest = await this.usage();
    let progressAt = Date.now();
    while (latest.readings < readings) {
      await sleep(scrapeIntervalMs);
      const usage = await this.usage();
      if (usage.deadLetters > 0) throw new Error('ingestion kept dead letters of good readings');
      if (usage.readings > latest.readings) progressAt = Date.now();
      latest = usage;
      if (Date.now() - progressAt > stallTimeoutMs) {
        throw new Error(`ingestion stopped at ${usage.readings} of ${readings} readings`);
      }
    }
    return latest;
  }

  close(): Promise<void> {
    return this.#process.close();
  }
}

/** The usage between two times. */
export function difference(before: Usage, after: Usage): Usage {
  return {
    cpu: after.cpu - before.cpu,
    readings: after.readings - before.readings,
    blocks: after.blocks - before.blocks,
    deadLetters: after.deadLetters - before.deadLetters,
    writeUnits: after.writeUnits - before.writeUnits,
    writeRequests: after.writeRequests - before.writeRequests,
  };
}
