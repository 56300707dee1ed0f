import { setTimeout as sleep } from 'node:timers/promises';
import { Simulator } from '@engawa/dynamodb-simulator';
import { connectAsync } from 'mqtt';
import { quantile } from '../statistics.ts';
import { DurableTap } from './durable-tap.ts';
import type { IngestionOptions } from './options.ts';
import type { Finding } from '../report.ts';
import type { IngestionRig } from './rig.ts';

/** A reading of each device a second; every fifth millisecond one. */
const devices = 200;
const readingIntervalMs = 5;
/** Seconds for the throttled readings to be stored after throttling ends. */
const settleTimeoutSeconds = 120;
/** Others may take that much longer while one is throttled. */
const target = 1.2;

const deviceName = (number: number): string => `isolation-${number}`;
const hot = `DEVICE#${deviceName(0)}`;

/**
 * One device is throttled at its key for as long as is watched. Do others' readings take longer to
 * be durable? Compared with as long a time before, in the same run.
 */
export async function measureIsolation(
  rig: IngestionRig,
  { seconds }: IngestionOptions,
  print: (line: string) => void,
): Promise<Finding[]> {
  const simulator = await Simulator.start({ upstream: rig.endpoint });
  const tap = await DurableTap.start(simulator.endpoint);
  try {
    const environment = { DYNAMODB_ENDPOINT: tap.endpoint, LINGER_MS: '0' };
    return await rig.withIngestion(environment, () =>
      watch({ rig, simulator, tap, seconds, print }),
    );
  } finally {
    await tap.close();
    await simulator.close();
  }
}

interface LatencyWatch {
  rig: IngestionRig;
  simulator: Simulator;
  tap: DurableTap;
  seconds: number;
  print: (line: string) => void;
}

async function watch({ rig, simulator, tap, seconds, print }: LatencyWatch): Promise<Finding[]> {
  let latencies: number[] = [];
  let stored = 0;
  tap.onStored = (pk, latency, readings) => {
    // Its readings go to further shards when the throttling lasts.
    if (pk === hot || pk.startsWith(`${hot}#`)) stored += readings;
    else if (pk.startsWith('DEVICE#isolation-')) latencies.push(latency);
  };
  const load = new Load(rig.mqttUrl);
  await load.start();
  const phase = async (name: string, length: number): Promise<number[]> => {
    print(`isolation: ${name}, ${length} s`);
    latencies = [];
    await sleep(length * 1000);
    return latencies;
  };
  await phase('warming up', 10);
  const before = await phase('nobody throttled', seconds);
  simulator.setFaults([{ partitionKey: hot, fault: { kind: 'throttle' } }]);
  const during = await phase('one device throttled', seconds);
  simulator.setFaults([]);
  const sent = await load.stop();
  const deadline = Date.now() + settleTimeoutSeconds * 1000;
  while (stored < sent && Date.now() < deadline) await sleep(100);
  return findingsOf(before, during, { sent, stored });
}

function findingsOf(
  before: readonly number[],
  during: readonly number[],
  { sent, stored }: { sent: number; stored: number },
): Finding[] {
  const line = (part: number): Finding => {
    const [was, is] = [quantile(before, part), quantile(during, part)];
    const finding = {
      what: `isolation, p${part * 100} of others from publishing to durable, ms`,
      measured: String(is),
      baseline: String(was),
      ratio: (is / was).toFixed(2),
      target: part === 0.99 ? `≤ ${target}` : '',
    };
    return part === 0.99 ? { ...finding, reached: is <= was * target } : finding;
  };
  return [
    line(0.5),
    line(0.99),
    {
      what: "isolation, the throttled device's readings stored in the end",
      measured: String(stored),
      baseline: String(sent),
      ratio: '',
      target: 'all',
      reached: stored >= sent,
    },
  ];
}

/** Publishes single readings whose time is that of publishing, each device in its turn. */
class Load {
  readonly #url: string;
  #number = 0;
  #ended = false;
  #done: Promise<void> = Promise.resolve();

  constructor(url: string) {
    this.#url = url;
  }

  async start(): Promise<void> {
    const client = await connectAsync(this.#url);
    const run = async (): Promise<void> => {
      const start = Date.now();
      while (!this.#ended) {
        const due = Math.floor((Date.now() - start) / readingIntervalMs);
        for (; this.#number < due; this.#number++) {
          const payload = JSON.stringify({ ts: Date.now(), n: this.#number });
          const topic = `engawa/${deviceName(this.#number % devices)}/readings`;
          client.publish(topic, payload, { qos: 1 });
        }
        await sleep(readingIntervalMs);
      }
      await client.endAsync();
    };
    this.#done = run();
  }

  /** @returns how many readings of the hot device there are */
  async stop(): Promise<number> {
    this.#ended = true;
    await this.#done;
    return Math.ceil(this.#number / devices);
  }
}
