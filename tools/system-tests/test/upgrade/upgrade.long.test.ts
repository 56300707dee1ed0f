import { describeWithMosquitto, until } from '@engawa/testing';
import { faultTests } from '../faults/fault-tests.ts';
import { queuedFor, UpgradeLoad } from './load.ts';
import type { FaultScenario } from '../faults/fault-scenario.ts';
import type { ServiceProcess } from '../service-process.ts';

/** As the chart sets it: the time for closing is shorter than the grace period of Kubernetes. */
const environment = {
  MQTT_GROUP: 'engawa',
  SHUTDOWN_TIMEOUT_MS: '20000',
  // Long enough that no attempt times out on a busy machine.
  DYNAMODB_TIMEOUT_MS: '30000',
};

/** Two replicas of a StatefulSet, which are replaced one after the other in descending order. */
class Replicas {
  readonly #scenario: FaultScenario;
  readonly #load: UpgradeLoad;
  readonly #running: ServiceProcess[];

  /** @param checkout of the replicas until the first `roll` */
  static async start(scenario: FaultScenario, checkout?: string): Promise<Replicas> {
    const start = (number: number) => scenario.startIngestion(number, {}, checkout);
    const running = await Promise.all([start(0), start(1)]);
    return new Replicas(scenario, running, await UpgradeLoad.start(scenario));
  }

  private constructor(scenario: FaultScenario, running: ServiceProcess[], load: UpgradeLoad) {
    this.#scenario = scenario;
    this.#running = running;
    this.#load = load;
  }

  /** Replaces replicas as Kubernetes does: from the last to the first, each after the previous one is ready. */
  async roll(checkout?: string): Promise<void> {
    const end = (replica: ServiceProcess) => replica.end('SIGTERM');
    for (const number of [...this.#running.keys()].toReversed()) {
      expect(await this.replace(number, end, checkout)).toBe(0);
    }
  }

  /** @returns its exit code */
  async replace(
    number: number,
    end: (replica: ServiceProcess) => Promise<number | null>,
    checkout?: string,
  ) {
    const [replica] = this.#running.slice(number);
    if (replica === undefined) throw new Error(`there is no replica ${number}`);
    await this.#load.flows();
    const code = await end(replica);
    // The broker has distributed the queue of a replica that left the group. The first replica
    // stays in it, and has a queue.
    if (code === 0 && number > 0) expect(await this.#queuedFor(number)).toEqual([]);
    this.#running[number] = await this.#scenario.startIngestion(number, {}, checkout);
    await this.#load.flows();
    return code;
  }

  /** Stops all replicas at once; messages arrive before new replicas start. */
  async replaceAll(): Promise<void> {
    await this.#load.flows();
    const codes = await Promise.all(this.#running.map((replica) => replica.end('SIGTERM')));
    expect(codes).toEqual(this.#running.map(() => 0));
    await this.#load.isTaken();
    const starting = codes.map((_, number) => this.#scenario.startIngestion(number));
    this.#running.splice(0, Infinity, ...(await Promise.all(starting)));
    await this.#load.flows();
  }

  /** Stops all replicas after the last message; the broker's queues must be empty. */
  async end(): Promise<void> {
    process.stdout.write(`${this.#scenario.name}: ${await this.#load.end()}\n`);
    for (const [number, replica] of this.#running.entries()) {
      expect(await replica.end('SIGTERM')).toBe(0);
      expect(await this.#queuedFor(number)).toEqual([]);
    }
  }

  #queuedFor(number: number): Promise<string[]> {
    return queuedFor(this.#scenario.broker?.url ?? '', `${this.#scenario.prefix}-${number}`);
  }

  close(): void {
    this.#load.close();
  }
}

/** SIGKILL, as Kubernetes sends it at the end of the grace period. */
const outlastGrace = (scenario: FaultScenario) => async (replica: ServiceProcess) => {
  const { simulator } = scenario.backends;
  simulator.setFaults([{ operations: ['BatchWriteItem'], fault: { kind: 'hang' } }]);
  const unready = async () => (await fetch(`${replica.metricsUrl}/readyz`)).status === 503;
  replica.signal('SIGTERM');
  await until('closing', unready);
  await until('messages that cannot be stored', async () => {
    const text = await (await fetch(`${replica.metricsUrl}/metrics`)).text();
    return !/^engawa_ingest_unacknowledged_messages 0$/m.test(text);
  });
  const code = await replica.end('SIGKILL');
  simulator.setFaults([]);
  return code;
};

async function withReplicas(
  scenario: FaultScenario,
  play: (replicas: Replicas) => Promise<void>,
  checkout?: string,
) {
  const replicas = await Replicas.start(scenario, checkout);
  try {
    await play(replicas);
    await replicas.end();
  } finally {
    replicas.close();
  }
  await scenario.verify();
}

describeWithMosquitto('an upgrade under load stores every reading once', () => {
  const upgrade = faultTests();

  upgrade('upgrade and rollback', { environment }, (scenario) =>
    withReplicas(scenario, async (replicas) => {
      await replicas.roll();
      await replicas.roll();
    }),
  );

  upgrade('a grace period that is too short, and all at once', { environment }, (scenario) =>
    withReplicas(scenario, async (replicas) => {
      expect(await replicas.replace(1, outlastGrace(scenario))).toBe(null);
      await replicas.replaceAll();
    }),
  );

  // Version 0.2 stores equal presses of one millisecond once, so none are sent.
  const options = { environment, presses: false };
  const former = process.env['TEST_FORMER_RELEASE'];
  const name = 'from another release, back, and again, with both at work';
  const play = (scenario: FaultScenario) => {
    const roll = async (replicas: Replicas) => {
      await replicas.roll();
      await replicas.roll(former);
      await replicas.roll();
    };
    return withReplicas(scenario, roll, former);
  };
  if (former !== undefined) upgrade(name, options, play);
  else it.skip(`${name} (skipped: TEST_FORMER_RELEASE names no checkout)`, () => undefined);
});
