import { setTimeout as sleep } from 'node:timers/promises';
import { startMosquitto } from '@engawa/testing';
import { IngestionProcess } from './ingestion-process.ts';
import { unlimited } from './rig.ts';
import { Closables } from '../closables.ts';
import { median, spread } from '../statistics.ts';
import { Worker } from '../worker.ts';
import type { PublisherMethods } from '../children/publisher.ts';
import type { Finding, Print } from '../report.ts';
import type { IngestionOptions } from './options.ts';
import type { IngestionRig } from './rig.ts';
import type { Portion, Workload } from '../workload.ts';

/** Numbers of replicas; the first is the baseline. */
const counts = [1, 2, 4];
/** Maximum CPU of a reading, as a multiple of the CPU with one replica. */
const target = 1.1;
const devices = 1000;
/** Readings of each replica before anything is measured. */
const warmUp = 20_000;
const pollIntervalMs = 500;

/**
 * CPU of a reading when replicas share the messages of one group, of the same load for any number of them. Mosquitto,
 * since the embedded broker has no shared subscriptions.
 */
export async function measureReplicas(
  rig: IngestionRig,
  { messages, repetitions }: IngestionOptions,
  print: Print,
): Promise<Finding[]> {
  const results = new Map<number, number[]>();
  for (const count of counts) {
    const used = await measureCount(rig, count, { messages, repetitions });
    results.set(count, used);
    print(`CPU with ${count} replicas: ${spread(used, 1)} µs a reading`);
  }
  const alone = results.get(1) ?? [];
  return counts.slice(1).map((count) => findingOf(count, results.get(count) ?? [], alone));
}

async function measureCount(
  rig: IngestionRig,
  count: number,
  { messages, repetitions }: Pick<IngestionOptions, 'messages' | 'repetitions'>,
): Promise<number[]> {
  const closables = new Closables();
  try {
    const { url } = closables.add(await startMosquitto({ settings: unlimited }));
    const replicas: IngestionProcess[] = [];
    for (let number = 0; number < count; number++) {
      const environment = environmentOf(rig, url, number);
      replicas.push(closables.add(await IngestionProcess.start(environment)));
    }
    const publisher = closables.add(await Worker.start<PublisherMethods>('publisher', { url }));
    const workload = workloadOf(count);
    await ingest(replicas, publisher, { workload, from: 0, count: warmUp * count });
    const used: number[] = [];
    for (let repetition = 0; repetition < repetitions; repetition++) {
      const from = warmUp * count + repetition * messages;
      const cpu = await ingest(replicas, publisher, { workload, from, count: messages });
      used.push(cpu / messages);
    }
    return used;
  } finally {
    await closables.close();
  }
}

function environmentOf(rig: IngestionRig, url: string, number: number): Record<string, string> {
  return {
    ...rig.environment,
    MQTT_URL: url,
    MQTT_VERSION: '5',
    MQTT_GROUP: 'bench',
    MQTT_CLIENT_ID: `bench-replica-${number}`,
    LINGER_MS: '0',
  };
}

function workloadOf(count: number): Workload {
  const prefix = `replicas-${count}`;
  return { topic: 'engawa', prefix, devices, readings: 1, start: Date.now(), step: 1000 };
}

/** @returns microseconds of CPU of all replicas until the portion is durable */
async function ingest(
  replicas: readonly IngestionProcess[],
  publisher: Worker<PublisherMethods>,
  portion: Portion,
): Promise<number> {
  const sum = async () => {
    const usages = await Promise.all(replicas.map((replica) => replica.usage()));
    return {
      cpu: usages.reduce((total, { cpu }) => total + cpu, 0),
      readings: usages.reduce((total, { readings }) => total + readings, 0),
    };
  };
  const before = await sum();
  await publisher.call('publish', portion);
  for (;;) {
    const now = await sum();
    if (now.readings >= before.readings + portion.count) return now.cpu - before.cpu;
    await sleep(pollIntervalMs);
  }
}

function findingOf(count: number, used: readonly number[], alone: readonly number[]): Finding {
  const ratio = median(used) / median(alone);
  return {
    what: `CPU with ${count} replicas, µs a reading`,
    measured: spread(used, 1),
    baseline: `one replica: ${spread(alone, 1)}`,
    ratio: ratio.toFixed(2),
    target: `≤ ${target}`,
    reached: ratio <= target,
  };
}
