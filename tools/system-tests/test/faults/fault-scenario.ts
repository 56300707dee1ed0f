import { announcedSeed, metricValue, randomFrom, until } from '@engawa/testing';
import { countReadings } from '../oracle.ts';
import { Publisher } from '../publisher.ts';
import { startServiceProcess } from '../service-process.ts';
import { Presses } from './presses.ts';
import type { SharedBackends } from './shared-backends.ts';
import { describeMissing } from './missing-readings.ts';
import { NetworkPath } from './network-path.ts';
import { startRestartableBroker } from './restartable-broker.ts';
import type { ReadingCounts } from '../oracle.ts';
import type { SentReading } from '../publisher.ts';
import type { RestartableBroker } from './restartable-broker.ts';
import type { ServiceProcess } from '../service-process.ts';

export interface FaultScenarioOptions {
  /** Port of a running broker; by default a Mosquitto is started. */
  brokerPort?: number;
  brokerSettings?: string[];
  /** Whether the broker keeps sessions and messages over a restart. */
  brokerPersistence?: boolean;
  mqttVersion?: '5' | '3.1.1';
  /** Of ingestion. */
  environment?: Record<string, string>;
  /** Number of messages, and of devices that send them. */
  messages?: number;
  devices?: number;
  /** Whether a button is pressed meanwhile; true when absent. */
  presses?: boolean;
}

/** Publisher, broker, network and ingestion under one fault; at the end all messages are accounted for. */
export class FaultScenario {
  readonly name: string;
  readonly backends: SharedBackends;
  readonly seed: number;
  readonly random: () => number;
  readonly path: NetworkPath;
  readonly messages: number;
  readonly presses: Presses;
  readonly #options: FaultScenarioOptions;
  readonly #ingestions: ServiceProcess[] = [];
  broker: RestartableBroker | undefined;
  publisher!: Publisher;

  static async open(
    backends: SharedBackends,
    name: string,
    options: FaultScenarioOptions,
  ): Promise<FaultScenario> {
    const { brokerPort, brokerSettings = [], brokerPersistence = false } = options;
    const broker =
      brokerPort === undefined
        ? await startRestartableBroker(brokerPersistence, brokerSettings)
        : undefined;
    const path = await NetworkPath.open(brokerPort ?? broker?.port ?? 0);
    const scenario = new FaultScenario(backends, name, path, options);
    scenario.broker = broker;
    return scenario;
  }

  private constructor(
    backends: SharedBackends,
    name: string,
    path: NetworkPath,
    options: FaultScenarioOptions,
  ) {
    this.backends = backends;
    this.name = name;
    this.path = path;
    this.messages = options.messages ?? 1000;
    this.#options = options;
    this.seed = announcedSeed(name);
    this.random = randomFrom(this.seed);
    this.presses = new Presses(backends.query.url, `${this.prefix}-button`);
  }

  /** Prefix of device ids: no two scenarios share a device. */
  get prefix(): string {
    return this.name.replaceAll(/\W+/g, '-');
  }

  get ingestion(): ServiceProcess {
    const last = this.#ingestions.at(-1);
    if (last === undefined) throw new Error('no ingestion has been started');
    return last;
  }

  /** Undefined where nobody presses. */
  get button() {
    return this.#options.presses === false ? undefined : this.presses.button;
  }

  /** Messages of the publisher that the broker has accepted, presses included. */
  get sent(): number {
    return this.publisher.taken.length + this.publisher.pressed;
  }

  /** Of the latest ingestion process. */
  metric(name: string, labels: Record<string, string> = {}): Promise<number> {
    return metricValue(this.ingestion.metricsUrl, name, labels);
  }

  /** The unmet requirements that ingestion reports. */
  async readyzText(): Promise<string> {
    return (await fetch(`${this.ingestion.metricsUrl}/readyz`)).text();
  }

  /**
   * Starts the replica with this number; an equal number is the same MQTT client.
   * @param checkout that has the service; this one if absent
   */
  async startIngestion(
    number = 0,
    more: Record<string, string> = {},
    checkout?: string,
  ): Promise<ServiceProcess> {
    const environment = {
      TABLE_NAME: this.backends.table.tableName,
      DYNAMODB_ENDPOINT: this.backends.simulator.endpoint,
      DYNAMODB_TIMEOUT_MS: '3000',
      MQTT_URL: this.path.url,
      MQTT_VERSION: this.#options.mqttVersion ?? '5',
      MQTT_CLIENT_ID: `${this.prefix}-${number}`,
      MQTT_KEEPALIVE_SECONDS: '2',
      LINGER_MS: '50',
      LOG_LEVEL: 'fatal',
      DECODERS: 'native',
      ...this.#options.environment,
      ...more,
    };
    const process = await startServiceProcess('ingestion', environment, { checkout });
    this.#ingestions.push(process);
    return process;
  }

  async connectPublisher(url = this.broker?.url ?? ''): Promise<void> {
    const { prefix, seed } = this;
    const devices = this.#options.devices ?? 20;
    this.publisher = await Publisher.connect({
      url,
      seed,
      prefix,
      devices,
      concurrency: 20,
      pause: 10,
      button: this.button,
    });
  }

  /** Publishes all messages, at about 2,000 per second, while `disturb` runs. */
  async publish(disturb: () => Promise<unknown> = () => Promise.resolve()): Promise<void> {
    await this.connectPublisher();
    await Promise.all([this.publisher.publish(this.messages), disturb()]);
    await this.publisher.close();
    this.presses.sentBy(this.publisher);
  }

  /** Publishes all messages, and calls `disturb` with the index of each of these shares when it is reached. */
  async publishDisturbed(
    shares: readonly number[],
    disturb: (index: number) => unknown,
  ): Promise<void> {
    await this.publish(async () => {
      for (const [index, share] of shares.entries()) {
        await this.reached(share);
        await disturb(index);
      }
    });
  }

  /** Resolves when about this share of the messages is published. */
  async reached(share: number): Promise<void> {
    const progress = () => this.publisher.taken.length;
    const isReached = () => progress() >= share * this.messages;
    await until(`${share} of the messages`, isReached, { progress });
  }

  /** A random share between these two, from the seed. */
  between(from: number, to: number): Promise<void> {
    return this.reached(from + this.random() * (to - from));
  }

  /** Resolves when ingestion has acknowledged this many messages. */
  async acknowledgements(count: number): Promise<void> {
    const progress = () => this.path.acknowledged.length;
    await until(`${count} acknowledgements`, () => progress() >= count, { progress });
  }

  /** Expects the acknowledged messages only, for a broker that may lose messages itself. */
  acknowledged(sent: readonly SentReading[]): SentReading[] {
    const acknowledged = new Set(this.path.acknowledged);
    return sent.filter(({ topic, payload }) => acknowledged.has(`${topic} ${payload}`));
  }

  /** Expects acknowledged messages and those that a crashed broker has kept: it loses messages in flight. */
  expectedAfterBrokerCrash(sent: readonly SentReading[]): SentReading[] {
    const acknowledged = new Set(this.path.acknowledged);
    const interrupted = new Set(this.path.interrupted);
    return sent.filter(({ topic, payload }) => {
      const message = `${topic} ${payload}`;
      return acknowledged.has(message) || !interrupted.has(message);
    });
  }

  /**
   * Waits until no reading is missing, prints all counts, and expects 0 lost and 0 duplicated.
   * @param sent the expected readings; by default all, and then all presses as well
   */
  async verify(
    sent?: () => readonly SentReading[],
    expected: Partial<ReadingCounts> = { deadLettered: 0 },
  ): Promise<ReadingCounts> {
    const presses = sent === undefined ? this.presses : undefined;
    const readings = sent ?? (() => this.publisher.taken);
    const judged = async () =>
      countReadings(this.backends.query.url, readings(), await this.backends.deadLetters());
    let readingCounts = await judged();
    const isComplete = async () => {
      readingCounts = await judged();
      if ((await presses?.areStored()) === false) return false;
      // A throttled message may be a dead letter until it is stored.
      const { lost, deadLettered } = readingCounts;
      return lost === 0 && deadLettered === (expected.deadLettered ?? deadLettered);
    };
    const progress = () =>
      `${readingCounts.stored} stored, ${presses?.stored} presses, ${readingCounts.deadLettered} dead letters`;
    // A missing message is reported by the comparison below.
    await until('every message', isComplete, { progress, stallMs: 60_000 }).catch(() => undefined);
    const { missing, ...counts } = readingCounts;
    const { taken, stored, deadLettered, lost, duplicated } = counts;
    process.stdout.write(
      `${this.name}: acknowledged ${taken}, stored ${stored}, dead-lettered ${deadLettered}, lost ${lost}, duplicated ${duplicated}\n`,
    );
    process.stdout.write(describeMissing(missing, this.path.acknowledged));
    const clean = { lost: 0, duplicated: 0, sent: true };
    expect({ ...counts, sent: taken > 0 }).toMatchObject({ ...expected, ...clean });
    presses?.verify(this.path.redelivered);
    return readingCounts;
  }

  async close(): Promise<void> {
    this.backends.simulator.setFaults([]);
    this.backends.simulator.setLimits({});
    for (const ingestion of this.#ingestions) ingestion.signal('SIGCONT');
    await Promise.all(this.#ingestions.map((ingestion) => ingestion.end('SIGKILL')));
    await this.path.close();
    await this.broker?.close();
  }
}
