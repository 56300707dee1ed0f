import { setTimeout as sleep } from 'node:timers/promises';
import type { Prometheus } from './prometheus.ts';

const pollIntervalMs = 1000;
const timeoutMs = 300_000;
/** Consecutive polls in which the stack must be calm. */
const requiredPolls = 20;

/** Few messages in flight, and fast requests. */
const calm = `sum(engawa_ingest_unacknowledged_messages) < 20
and histogram_quantile(0.99, sum by (le) (rate(http_server_request_duration_seconds_bucket[10s]))) < 0.5`;

/**
 * Resolves when the backlog of the start is stored and requests are fast, so that pictures begin
 * with a normal state; on a machine that stays busy, after five minutes.
 */
export async function untilCalm(prometheus: Prometheus): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  let polls = 0;
  while (polls < requiredPolls && performance.now() < deadline) {
    const isCalm = (await prometheus.instant(calm, Date.now() / 1000)).length > 0;
    polls = isCalm ? polls + 1 : 0;
    await sleep(pollIntervalMs);
  }
}
