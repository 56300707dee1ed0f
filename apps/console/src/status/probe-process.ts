import { z } from 'zod';
import { getText, whyFailed } from './get-text.ts';
import { MetricSamples } from './metric-samples.ts';
import type { BrokerSession, ProcessState, ProcessStatus, Units } from './status-report.ts';

const requirement = z.object({ name: z.string(), reason: z.string() });

/** The response of /readyz, with 200 or 503. */
const readiness = z.object({
  ready: z.boolean(),
  /** Absent before 0.3. */
  version: z.string().optional(),
  missing: z.array(requirement),
  degraded: z.array(requirement),
});

export interface ProbeOptions {
  /** URL of the port of probes and metrics, without a trailing slash. */
  url: string;
  /** One of the addresses of its host. */
  address: string;
  signal: AbortSignal;
}

export interface Probed {
  status: ProcessStatus;
  /** Counters of the process, where its metrics could be read. */
  counters?: { startedAt: number; units: Units };
}

/** Asks a process whether it is ready, and for its metrics. It does not throw. */
export async function probeProcess({ url, address, signal }: ProbeOptions): Promise<Probed> {
  const at = { address, signal };
  const unreachable = (error: unknown): Probed => ({
    status: {
      ...{ address, state: 'unreachable', failure: whyFailed(error, signal) },
      ...{ missing: [], degraded: [] },
    },
  });
  try {
    const [ready, metrics] = await Promise.all([
      getText({ url: `${url}/readyz`, ...at }),
      // Without metrics a process still says whether it is ready.
      getText({ url: `${url}/metrics`, ...at }).catch(() => ({ status: 0, text: '' })),
    ]);
    const { missing, degraded, version, ...found } = readiness.parse(JSON.parse(ready.text));
    const samples = new MetricSamples(metrics.status === 200 ? metrics.text : '');
    const state: ProcessState = !found.ready
      ? 'unready'
      : degraded.length > 0
        ? 'degraded'
        : 'ready';
    const status = { address, state, missing, degraded, ...(version !== undefined && { version }) };
    return withMetrics(status, samples);
  } catch (error) {
    const isForeign = error instanceof z.ZodError || error instanceof SyntaxError;
    return unreachable(isForeign ? new Error('its response is not that of /readyz') : error);
  }
}

function withMetrics(status: ProcessStatus, samples: MetricSamples): Probed {
  const startedSeconds = samples.value('process_start_time_seconds');
  if (startedSeconds === undefined) return { status };
  const startedAt = startedSeconds * 1000;
  const usedBytes = samples.value('process_resident_memory_bytes');
  const limitBytes = samples.value('engawa_memory_limit_bytes');
  const broker = brokerSession(samples);
  return {
    status: {
      ...status,
      startedAt: new Date(startedAt).toISOString(),
      ...(usedBytes !== undefined && {
        memory: { usedBytes, ...(limitBytes !== undefined && { limitBytes }) },
      }),
      ...(broker !== undefined && { broker }),
    },
    counters: { startedAt, units: consumedUnits(samples) },
  };
}

function consumedUnits(samples: MetricSamples): Units {
  return {
    read: samples.sum('engawa_table_consumed_units_total', 'unit="read"'),
    write: samples.sum('engawa_table_consumed_units_total', 'unit="write"'),
  };
}

function brokerSession(samples: MetricSamples): BrokerSession | undefined {
  const connected = samples.value('engawa_mqtt_connected');
  if (connected === undefined) return undefined;
  return {
    isConnected: connected === 1,
    connects: samples.value('engawa_mqtt_connects_total') ?? 0,
    sessionsLost: samples.value('engawa_mqtt_sessions_lost_total') ?? 0,
    failedSelfTests: samples.value('engawa_mqtt_self_tests_failed_total') ?? 0,
    unacknowledged: samples.value('engawa_ingest_unacknowledged_messages') ?? 0,
    oldestSeconds: samples.value('engawa_ingest_oldest_unacknowledged_seconds') ?? 0,
  };
}
