import { until } from '@engawa/testing';
import { connect } from 'mqtt';
import { Publisher } from '../publisher.ts';
import type { FaultScenario } from '../faults/fault-scenario.ts';

/** More than are sent in the time that a test has; over enough devices that their times are not too old. */
const enough = 100_000;
const devices = 50;

/** Publishes about five hundred readings a second through all that is done to who stores them, and looks on. */
export class UpgradeLoad {
  readonly #scene: FaultScenario;
  readonly #published: Promise<void>;
  readonly #began = performance.now();
  readonly #timer: NodeJS.Timeout;
  #acknowledged = 0;
  #acknowledgedAt = performance.now();
  #longestPause = 0;

  static async start(scenario: FaultScenario): Promise<UpgradeLoad> {
    const { prefix, seed } = scenario;
    const url = scenario.broker?.url ?? '';
    const options = { url, seed, prefix, devices, concurrency: 40, pause: 40 };
    scenario.publisher = await Publisher.connect(options);
    return new UpgradeLoad(scenario);
  }

  private constructor(scenario: FaultScenario) {
    this.#scene = scenario;
    this.#published = scenario.publisher.publish(enough);
    this.#timer = setInterval(() => this.#look(), 5);
  }

  /** Resolves when so many more have been stored and acknowledged. */
  async flows(count = 300): Promise<void> {
    const { acknowledged } = this.#scene.path;
    const enough = acknowledged.length + count;
    const progress = () => acknowledged.length;
    await until('more to be stored', () => progress() >= enough, { progress });
  }

  /** Resolves when the broker has accepted this many further messages, for any subscriber. */
  async isTaken(count = 300): Promise<void> {
    const { taken } = this.#scene.publisher;
    const enough = taken.length + count;
    const progress = () => taken.length;
    await until('more to be taken', () => progress() >= enough, { progress });
  }

  /** Publishes no more, waits until everything is acknowledged, and tells how it went. */
  async end(): Promise<string> {
    const { publisher, path } = this.#scene;
    const seconds = (performance.now() - this.#began) / 1000;
    publisher.stop();
    await this.#published;
    await publisher.close();
    const { taken } = publisher;
    const isEveryOne = () => this.#scene.acknowledged(taken).length === taken.length;
    await until('all acknowledged', isEveryOne, { progress: () => path.acknowledged.length });
    clearInterval(this.#timer);
    const rate = Math.round(taken.length / seconds);
    const twice = path.acknowledged.length - taken.length;
    return `${taken.length} readings at ${rate}/s, none stored for ${Math.round(this.#longestPause)} ms at the most, ${path.redelivered} redelivered, ${twice} acknowledged again`;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#scene.publisher.stop();
  }

  #look(): void {
    const { length } = this.#scene.path.acknowledged;
    const now = performance.now();
    // From the first on: before it the first process has only just begun.
    if (this.#acknowledged > 0) {
      this.#longestPause = Math.max(this.#longestPause, now - this.#acknowledgedAt);
    }
    if (length === this.#acknowledged) return;
    this.#acknowledged = length;
    this.#acknowledgedAt = now;
  }
}

/** What the broker still has for this client, whose process is gone. */
export async function queuedFor(url: string, clientId: string): Promise<string[]> {
  const queued: string[] = [];
  const client = connect(url, {
    clientId,
    clean: false,
    protocolVersion: 5,
    // So that the session is there for the next process, too.
    properties: { sessionExpiryInterval: 3600 },
  });
  client.on('message', (topic, payload) => queued.push(`${topic} ${payload.toString()}`));
  await new Promise((resolve, reject) => client.once('connect', resolve).once('error', reject));
  // Behind what is queued, which comes as soon as the client has connected.
  await client.publishAsync('upgrade/looked', '', { qos: 1 });
  await client.endAsync();
  return queued;
}
