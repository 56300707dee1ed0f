import { Violation } from '../world/violation.ts';
import type { Random } from '../kernel/index.ts';
import type { ServiceName } from '../world/load-services.ts';
import type { Replica } from '../world/replica.ts';
import type { System } from '../world/system.ts';

/** Milliseconds between two looks, at most. */
const longestPauseMs = 4000;
/** Timers of an idle replica: one for each connection and for each thing that it looks at regularly, and a few more. */
const mostTimers: Readonly<Record<ServiceName, number>> = {
  ingestion: 12,
  registry: 9,
  query: 7,
  catalog: 15,
};
/** Ports and connections of an idle replica. */
const mostOpen = 8;
/**
 * Messages that a session reads beyond its window, of a broker that sends more than that (mochi,
 * and many with MQTT 3.1.1): two portions (libs/mqtt, frame-queue.ts).
 */
const readAtOnce = 64;
/** What a family may be spread over (docs/hot-partitions.md). */
const mostShards = 64;

/**
 * Looks at all replicas at random times, until it is enough.
 * @throws Violation where one holds more than it may, or its books do not balance
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

/** docs/reliability.md: each message that came is done with, or held. */
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

/** What replicas have that grows with what they did: to be asked once nothing happens any more. */
export function violationsOfIdle({ deployment }: System): string[] {
  return deployment.replicas.flatMap(({ name, service, process: { scheduled, open } }) => {
    if (scheduled <= mostTimers[service] && open <= mostOpen) return [];
    return [`${name} is idle, and has ${scheduled} timers and ${open} ports and connections`];
  });
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
