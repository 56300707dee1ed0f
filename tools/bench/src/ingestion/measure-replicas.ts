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

/** Numbers of replicas. */
const counts = [2, 4];
/** Maximum CPU of a reading, as a multiple of the CPU with one replica. */
const target = 1.1;
const devices = 1000;
/** Readings of each replica before anything is measured. */
const warmUp = 20_000;
/** Milliseconds between two scrapes of every replica: each takes about 3 ms of the measured CPU. */
const pollIntervalMs = 2000;

/** Replicas of one group, and what publishes to their broker. */
interface Group {
  replicas: readonly IngestionProcess[];
  publisher: Worker<PublisherMethods>;
  workload: Workload;
}

/** A number of groups with a broker each, and the number of replicas in each of them. */
interface Deployment {
  groups: number;
  replicas: number;
}

/** Microseconds of CPU of a reading, of each repetition. */
type Used = Record<'alone' | 'shared' | 'separate', readonly number[]>;

/**
 * CPU of a reading when replicas share the messages of one group, of the same load for any number of them: `messages`
 * for each of the most replicas, so that none of them is measured for only a fraction of a second. As many groups of
 * one replica each show what the processes cost one another on the same cores without sharing anything but the table.
 * Mosquitto, since the embedded broker has no shared subscriptions.
 */
export async function measureReplicas(
  rig: IngestionRig,
  { messages, repetitions }: IngestionOptions,
  print: Print,
): Promise<Finding[]> {
  const load = messages * Math.max(...counts);
  const measure = async (deployment: Deployment): Promise<number[]> => {
    const used = await measureDeployment(rig, deployment, { messages: load, repetitions });
    print(`CPU with ${describe(deployment)}: ${spread(used, 1)} µs a reading`);
    return used;
  };
  const alone = await measure({ groups: 1, replicas: 1 });
  const findings: Finding[] = [];
  for (const count of counts) {
    const shared = await measure({ groups: 1, replicas: count });
    const separate = await measure({ groups: count, replicas: 1 });
    findings.push(...findingsOf(count, { alone, shared, separate }));
  }
  return findings;
}

function describe({ groups, replicas }: Deployment): string {
  return groups === 1 ? `${replicas} replicas` : `${groups} groups of one replica`;
}

async function measureDeployment(
  rig: IngestionRig,
  deployment: Deployment,
  { messages, repetitions }: Pick<IngestionOptions, 'messages' | 'repetitions'>,
): Promise<number[]> {
  const { replicas, groups: count } = deployment;
  const closables = new Closables();
  try {
    const groups: Group[] = [];
    for (let number = 0; number < count; number++) {
      groups.push(await startGroup(rig, { closables, replicas, name: `${count}-${number}` }));
    }
    const share = messages / count;
    await ingest(groups, { from: 0, count: warmUp * replicas });
    const used: number[] = [];
    for (let repetition = 0; repetition < repetitions; repetition++) {
      const from = warmUp * replicas + repetition * share;
      used.push((await ingest(groups, { from, count: share })) / messages);
    }
    return used;
  } finally {
    await closables.close();
  }
}

async function startGroup(
  rig: IngestionRig,
  { closables, replicas, name }: { closables: Closables; replicas: number; name: string },
): Promise<Group> {
  const { url } = closables.add(await startMosquitto({ settings: unlimited }));
  const started: IngestionProcess[] = [];
  for (let number = 0; number < replicas; number++) {
    const environment = environmentOf(rig, url, number);
    started.push(closables.add(await IngestionProcess.start(environment)));
  }
  const publisher = closables.add(await Worker.start<PublisherMethods>('publisher', { url }));
  const prefix = `replicas-${replicas}-${name}`;
  const workload = { topic: 'engawa', prefix, devices, readings: 1, start: Date.now(), step: 1000 };
  return { replicas: started, publisher, workload };
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

/** @returns microseconds of CPU of all replicas until the portion of each group is durable */
async function ingest(
  groups: readonly Group[],
  portion: Omit<Portion, 'workload'>,
): Promise<number> {
  const replicas = groups.flatMap((group) => group.replicas);
  const sum = async () => {
    const usages = await Promise.all(replicas.map((replica) => replica.usage()));
    return {
      cpu: usages.reduce((total, { cpu }) => total + cpu, 0),
      readings: usages.reduce((total, { readings }) => total + readings, 0),
    };
  };
  const before = await sum();
  await Promise.all(
    groups.map(({ publisher, workload }) => publisher.call('publish', { workload, ...portion })),
  );
  const expected = before.readings + portion.count * groups.length;
  for (;;) {
    const now = await sum();
    if (now.readings >= expected) return now.cpu - before.cpu;
    await sleep(pollIntervalMs);
  }
}

/** A group's CPU beside that of one replica, which has a target, and beside that of as many separate groups. */
function findingsOf(count: number, { alone, shared, separate }: Used): Finding[] {
  const ratio = median(shared) / median(alone);
  const measured = spread(shared, 1);
  return [
    {
      what: `CPU with ${count} replicas, µs a reading`,
      measured,
      baseline: `one replica: ${spread(alone, 1)}`,
      ratio: ratio.toFixed(2),
      target: `≤ ${target}`,
      reached: ratio <= target,
    },
    {
      what: 'the same, compared with groups of one replica',
      measured,
      baseline: `${count} groups: ${spread(separate, 1)}`,
      ratio: (median(shared) / median(separate)).toFixed(2),
      target: '',
    },
  ];
}
