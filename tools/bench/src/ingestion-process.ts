import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { tiedToParent } from '@engawa/embedded';
import { findFreePort } from './free-port.ts';
import { Metrics } from './metrics.ts';
import type { ChildProcess } from 'node:child_process';

const workspace = resolve(fileURLToPath(import.meta.url), '../../../..');

/** Milliseconds between two looks at /metrics: an answer takes some 3 ms of the CPU that is being measured. */
const interval = 1000;
/** Milliseconds without any progress after which something is wrong. */
const patience = 60_000;

/** What ingestion has counted and used since it started. */
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
  readonly #child: ChildProcess;
  readonly #metricsUrl: string;

  static async start(
    environment: Record<string, string>,
    nodeOptions: readonly string[] = [],
  ): Promise<IngestionProcess> {
    const port = await findFreePort();
    const line = [process.execPath, ...nodeOptions, 'apps/ingestion/src/main.ts'] as const;
    const { command, args } = tiedToParent('KILL', line);
    const child = spawn(command, args, {
      cwd: workspace,
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: 'production',
        LOG_LEVEL: 'warn',
        PORT: '0',
        METRICS_PORT: String(port),
        // The readings play ahead of the clock: from behind it they would be late, and late readings cost more.
        READING_MAX_AHEAD_HOURS: '1000000',
        ...environment,
      },
      // A group of its own: Ctrl-C is for the bench.
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const ingestion = new IngestionProcess(child, `http://127.0.0.1:${port}`);
    await ingestion.#untilReady();
    return ingestion;
  }

  private constructor(child: ChildProcess, metricsUrl: string) {
    this.#child = child;
    this.#metricsUrl = metricsUrl;
  }

  metrics(): Promise<Metrics> {
    return Metrics.of(this.#metricsUrl);
  }

  async usage(): Promise<Usage> {
    const metrics = await this.metrics();
    const cpuSeconds =
      metrics.sum('process_cpu_user_seconds_total') +
      metrics.sum('process_cpu_system_seconds_total');
    return {
      cpu: cpuSeconds * 1e6,
      readings: metrics.sum('engawa_ingest_readings_total'),
      blocks: metrics.sum('engawa_ingest_blocks_total'),
      deadLetters: metrics.sum('engawa_ingest_dead_letters_total'),
      writeUnits: metrics.sum('engawa_table_consumed_units_total', { unit: 'write' }),
      writeRequests: metrics.sum('engawa_table_attempts_total'),
    };
  }

  /** Resolves when so many readings are durable since it started, with what it had used then. */
  async untilStored(readings: number): Promise<Usage> {
    let latest = await this.usage();
    let progressAt = Date.now();
    while (latest.readings < readings) {
      await sleep(interval);
      const usage = await this.usage();
      if (usage.deadLetters > 0) throw new Error('ingestion kept dead letters of good readings');
      if (usage.readings > latest.readings) progressAt = Date.now();
      latest = usage;
      if (Date.now() - progressAt > patience) {
        throw new Error(`ingestion stopped at ${usage.readings} of ${readings} readings`);
      }
    }
    return latest;
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await gone;
  }

  async #untilReady(): Promise<void> {
    const deadline = Date.now() + patience;
    while (Date.now() < deadline) {
      if (this.#child.exitCode !== null) throw new Error('ingestion ended at its start');
      const answer = await fetch(`${this.#metricsUrl}/readyz`).catch(() => undefined);
      if (answer?.ok === true) return;
      await sleep(50);
    }
    throw new Error('ingestion does not become ready');
  }
}

/** What was used between two moments. */
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
