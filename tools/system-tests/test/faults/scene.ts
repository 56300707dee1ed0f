import { announcedSeed, metricValue, randomFrom, startMosquitto, until } from '@engawa/testing';
import { judge } from '../oracle.ts';
import { Publisher } from '../publisher.ts';
import { startServiceProcess } from '../service-process.ts';
import { Ground } from './ground.ts';
import { NetworkPath } from './network-path.ts';
import type { Mosquitto } from '@engawa/testing';
import type { Verdict } from '../oracle.ts';
import type { Sent } from '../publisher.ts';
import type { ServiceProcess } from '../service-process.ts';

export interface SceneOptions {
  /** In place of Mosquitto: where a broker is. */
  brokerPort?: number;
  brokerSettings?: string[];
  mqttVersion?: '5' | '3.1.1';
  /** Of ingestion. */
  environment?: Record<string, string>;
  /** Messages, and over how many devices. */
  messages?: number;
  devices?: number;
}

/** One fault: a publisher, a broker, a network, ingestion, and the question in the end what became of everything. */
export class Scene {
  readonly name: string;
  readonly ground: Ground;
  readonly seed: number;
  readonly random: () => number;
  readonly path: NetworkPath;
  readonly messages: number;
  readonly #options: SceneOptions;
  readonly #ingestions: ServiceProcess[] = [];
  broker: Mosquitto | undefined;
  publisher!: Publisher;

  static async open(ground: Ground, name: string, options: SceneOptions): Promise<Scene> {
    const broker =
      options.brokerPort === undefined
        ? await startMosquitto({
            settings: ['allow_anonymous true', ...(options.brokerSettings ?? [])],
          })
        : undefined;
    const path = await NetworkPath.open(options.brokerPort ?? broker?.port ?? 0);
    const scene = new Scene(ground, name, path, options);
    scene.broker = broker;
    return scene;
  }

  private constructor(ground: Ground, name: string, path: NetworkPath, options: SceneOptions) {
    this.ground = ground;
    this.name = name;
    this.path = path;
    this.messages = options.messages ?? 1000;
    this.#options = options;
    this.seed = announcedSeed(name);
    this.random = randomFrom(this.seed);
  }

  /** As a prefix of device ids: no two scenes share a device. */
  get prefix(): string {
    return this.name.replaceAll(/\W+/g, '-');
  }

  get ingestion(): ServiceProcess {
    const last = this.#ingestions.at(-1);
    if (last === undefined) throw new Error('no ingestion has been started');
    return last;
  }

  /** Of the ingestion that was started last. */
  metric(name: string, labels: Record<string, string> = {}): Promise<number> {
    return metricValue(this.ingestion.metricsUrl, name, labels);
  }

  /** What ingestion says that it lacks. */
  async readyzText(): Promise<string> {
    return (await fetch(`${this.ingestion.metricsUrl}/readyz`)).text();
  }

  /** The one with this number; the same number again is the same client to the broker. */
  async startIngestion(number = 0, more: Record<string, string> = {}): Promise<ServiceProcess> {
    const process = await startServiceProcess('ingestion', {
      TABLE_NAME: this.ground.table.tableName,
      DYNAMODB_ENDPOINT: this.ground.simulator.endpoint,
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
    });
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
    });
  }

  /** Publishes all messages, at about two thousand a second, with `disturb` going on meanwhile. */
  async publish(disturb: () => Promise<unknown> = () => Promise.resolve()): Promise<void> {
    await this.connectPublisher();
    await Promise.all([this.publisher.publish(this.messages), disturb()]);
    await this.publisher.close();
  }

  /**
   * Publishes all messages; each time that another of these shares of them is published, `disturb`
   * is called with its index.
   */
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

  /** Somewhere between these shares, as the seed has it. */
  between(from: number, to: number): Promise<void> {
    return this.reached(from + this.random() * (to - from));
  }

  /** Resolves when the broker was told of so many messages that they are durable. */
  async acknowledgements(count: number): Promise<void> {
    const progress = () => this.path.acknowledged.length;
    await until(`${count} acknowledgements`, () => progress() >= count, { progress });
  }

  /** What the broker was told is durable: all that can be asked for where the broker itself forgets. */
  acknowledged(sent: readonly Sent[]): Sent[] {
    const acknowledged = new Set(this.path.acknowledged);
    return sent.filter(({ topic, payload }) => acknowledged.has(`${topic} ${payload}`));
  }

  /** The messages that are durable, or that a broker which crashed has not lost: it forgets those in flight. */
  expectedAfterBrokerCrash(sent: readonly Sent[]): Sent[] {
    const acknowledged = new Set(this.path.acknowledged);
    const interrupted = new Set(this.path.interrupted);
    return sent.filter(({ topic, payload }) => {
      const message = `${topic} ${payload}`;
      return acknowledged.has(message) || !interrupted.has(message);
    });
  }

  /** Waits until nothing is missing, says what became of all, and expects the two zeros. */
  async verify(
    sent: () => readonly Sent[] = () => this.publisher.taken,
    expected: Partial<Verdict> = { deadLettered: 0 },
  ): Promise<Verdict> {
    const judged = async () =>
      judge(this.ground.query.url, sent(), await this.ground.deadLetters());
    let verdict = await judged();
    const isComplete = async () => {
      verdict = await judged();
      // What was throttled is a dead letter until it is stored.
      const { lost, deadLettered } = verdict;
      return lost === 0 && deadLettered === (expected.deadLettered ?? deadLettered);
    };
    const progress = () => `${verdict.stored} stored, ${verdict.deadLettered} dead letters`;
    // What never comes is for the comparison below to say.
    await until('every message', isComplete, { progress, stallMs: 60_000 }).catch(() => undefined);
    const { taken, stored, deadLettered, lost, duplicated } = verdict;
    process.stdout.write(
      `${this.name}: acknowledged ${taken}, stored ${stored}, dead-lettered ${deadLettered}, lost ${lost}, duplicated ${duplicated}\n`,
    );
    expect({ ...verdict, sent: taken > 0 }).toMatchObject({
      ...expected,
      lost: 0,
      duplicated: 0,
      sent: true,
    });
    return verdict;
  }

  async close(): Promise<void> {
    this.ground.simulator.setFaults([]);
    this.ground.simulator.setLimits({});
    for (const ingestion of this.#ingestions) ingestion.signal('SIGCONT');
    await Promise.all(this.#ingestions.map((ingestion) => ingestion.end('SIGKILL')));
    await this.path.close();
    await this.broker?.close();
  }
}

/** One test a fault. Without a Mosquitto those that need one say so and are left out. */
export function faultTests(): (
  name: string,
  options: SceneOptions,
  play: (scene: Scene) => Promise<unknown>,
) => void {
  let ground: Ground;
  beforeAll(async () => {
    ground = await Ground.open();
  });
  afterAll(() => ground.close());
  return (name, options, play) => {
    it(name, async () => {
      const scene = await Scene.open(ground, name, options);
      try {
        await play(scene);
      } finally {
        await scene.close();
      }
    });
  };
}
