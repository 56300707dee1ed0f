import { Violation } from '../world/violation.ts';
import type { Random } from '../kernel/index.ts';
import type { ServiceName } from '../world/load-services.ts';
import type { Replica } from '../world/replica.ts';
import type { System } from '../world/system.ts';

/** Maximum milliseconds between two checks. */
const longestPauseMs = 4000;
/** Maximum timers of an idle replica: one per connection and per periodic task, and a few more. */
const mostTimers: Readonly<Record<ServiceName, number>> = {
  ingestion: 12,
  registry: 9,
  query: 7,
  catalog: 15,
};
/** Maximum ports and connections of an idle replica. */
const mostOpen = 8;
/**
 * Messages that a session reads beyond its window, of a broker that sends more than that (mochi,
 * and many with MQTT 3.1.1): two portions (libs/mqtt, frame-queue.ts).
 */
const readAtOnce = 64;
/** Maximum shards of a family (docs/hot-partitions.md). */
const mostShards = 64;

/**
 * Checks all replicas at random times until `isEnough`.
 * @throws Violation when a replica exceeds a bound, or its message counters do not balance
 */
export async function watchBounds(
  { deployment, gateway }: System,
  { random, isEnough }: { random: Random; isEnough: () => boolean },
): Promise<void> {
  for (;;) {
    await gateway.sleep(random.integer(1, longestPauseMs));
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
    return value > limit ? [`${metric} of ${name} is ${value}, over ${limit}`] : [];
  };
  const spread = await most('engawa_partition_shards', mostShards);
  if (replica.service !== 'ingestion') return spread;
  // Sessions share the window in whole messages, rounded up (apps/ingestion, intake/subscription.ts).
  const { MQTT_WINDOW: window, MQTT_PARTITIONS: sessions = 1 } = settings;
  const mostHeld = Number(window) + Number(sessions) - 1 + Number(sessions) * readAtOnce;
  return [
    ...spread,
    ...(await most('engawa_ingest_unacknowledged_messages', mostHeld)),
    ...(await most('engawa_ingest_memory_used_ratio', 1)),
    ...(await violationsOfBooks(replica)),
  ];
}

/** docs/reliability.md: each received message is completed or held. */
async function violationsOfBooks(replica: Replica): Promise<string[]> {
  const [received, done, held] = await Promise.all([
    replica.values('engawa_ingest_received_messages_total'),
    replica.values('engawa_ingest_messages_total'),
    replica.values('engawa_ingest_unacknowledged_messages'),
  ]);
  const [came, known] = [sumOf(received), sumOf(done) + sumOf(held)];
  if (came === known) return [];
  return [`${replica.name} has received ${came} messages, and knows of ${known}`];
}

/** Resources of replicas that could leak; call it when all work is done. */
export function violationsOfIdle({ deployment }: System): string[] {
  return deployment.replicas.flatMap(({ name, service, process: { scheduled, open } }) => {
    if (scheduled <= mostTimers[service] && open <= mostOpen) return [];
    return [`${name} is idle, and has ${scheduled} timers and ${open} ports and connections`];
  });
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
