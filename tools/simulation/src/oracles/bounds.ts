import { Violation } from '../world/violation.ts';
import type { Random } from '../kernel/index.ts';
import type { ServiceName } from '../world/load-services.ts';
import type { Replica } from '../world/replica.ts';
import type { System } from '../world/system.ts';

/** Maximum milliseconds between two checks. */
const maxPauseMs = 4000;
/** Maximum number of timers of an idle replica: one per connection and per periodic task, and a few others. */
const maxTimers: Readonly<Record<ServiceName, number>> = {
  ingestion: 12,
  registry: 9,
  query: 7,
  catalog: 15,
};
/** Maximum ports and connections of an idle replica. */
const maxOpen = 8;
/**
 * Messages beyond its window that a session reads from a broker which ignores the window (mochi,
 * and many brokers with MQTT 3.1.1): two portions (libs/mqtt, frame-queue.ts).
 */
const readAtOnce = 64;
/** Maximum shards of a family (docs/hot-partitions.md). */
const maxShards = 64;

/**
 * Checks all replicas at random times until `isEnough`.
 * @throws Violation when a replica exceeds a bound, or its message counters do not balance
 */
export async function watchBounds(
  { deployment, gateway }: System,
  { random, isEnough }: { random: Random; isEnough: () => boolean },
): Promise<void> {
  for (;;) {
    await gateway.sleep(random.integer(1, maxPauseMs));
    if (isEnough()) return;
    for (const replica of deployment.replicas) {
      const [violation] = await violationsOfReplica(replica);
      if (violation !== undefined) throw new Violation(violation);
    }
  }
}

async function violationsOfReplica(replica: Replica): Promise<string[]> {
  const { name, settings } = replica;
  const most = async (metric: string, limit: number) => {
    const value = Math.max(0, ...(await replica.values(metric)));
    return value > limit ? [`${metric} of ${name} is ${value}, above the maximum of ${limit}`] : [];
  };
  const spread = await most('engawa_partition_shards', maxShards);
  if (replica.service !== 'ingestion') return spread;
  // Sessions share the window in whole messages, rounded up (apps/ingestion, intake/subscription.ts).
  const { MQTT_WINDOW: window, MQTT_PARTITIONS: sessions = 1 } = settings;
  const maxHeld = Number(window) + Number(sessions) - 1 + Number(sessions) * readAtOnce;
  return [
    ...spread,
    ...(await most('engawa_ingest_unacknowledged_messages', maxHeld)),
    ...(await most('engawa_ingest_memory_used_ratio', 1)),
    ...(await violationsOfBooks(replica)),
  ];
}

/** Checks that each received message is counted as completed or held (docs/reliability.md). */
async function violationsOfBooks(replica: Replica): Promise<string[]> {
  const [received, done, held] = await Promise.all([
    replica.values('engawa_ingest_received_messages_total'),
    replica.values('engawa_ingest_messages_total'),
    replica.values('engawa_ingest_unacknowledged_messages'),
  ]);
  const [came, known] = [sumOf(received), sumOf(done) + sumOf(held)];
  if (came === known) return [];
  return [`${replica.name} has received ${came} messages, but accounts for ${known}`];
}

/** Checks idle replicas for leaked timers and connections. Call it after all work has completed. */
export function violationsOfIdle({ deployment }: System): string[] {
  return deployment.replicas.flatMap(({ name, service, process: { scheduled, open } }) => {
    if (scheduled <= maxTimers[service] && open <= maxOpen) return [];
    return [`${name} is idle, but has ${scheduled} timers and ${open} ports and connections`];
  });
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
