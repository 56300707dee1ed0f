import { until } from '@engawa/testing';
import { connect } from 'mqtt';
import { Publisher } from '../publisher.ts';
import type { FaultScenario } from '../faults/fault-scenario.ts';

/** More than a test can send; distributed over enough devices that times are not too old. */
const enough = 100_000;
const devices = 50;

/** Publishes about 500 readings per second during the upgrade, and counts the stored readings. */
export class UpgradeLoad {
  readonly #scenario: FaultScenario;
  readonly #published: Promise<void>;
  readonly #began = performance.now();
  readonly #timer: NodeJS.Timeout;
  #acknowledged = 0;
  #acknowledgedAt = performance.now();
  #longestPause = 0;

  static async start(scenario: FaultScenario): Promise<UpgradeLoad> {
    const { prefix, seed, button } = scenario;
    const url = scenario.broker?.url ?? '';
    const options = { url, seed, prefix, devices, concurrency: 40, pause: 40, button };
    scenario.publisher = await Publisher.connect(options);
    return new UpgradeLoad(scenario);
  }

  private constructor(scenario: FaultScenario) {
    this.#scenario = scenario;
    this.#published = scenario.publisher.publish(enough);
    this.#timer = setInterval(() => this.#look(), 5);
  }

  /** Resolves when this many further readings are stored and acknowledged. */
  async flows(count = 300): Promise<void> {
    const { acknowledged } = this.#scenario.path;
    const enough = acknowledged.length + count;
    const progress = () => acknowledged.length;
    await until('more to be stored', () => progress() >= enough, { progress });
  }

  /** Resolves when the broker has accepted this many further messages, for any subscriber. */
  async isTaken(count = 300): Promise<void> {
    const { taken } = this.#scenario.publisher;
    const enough = taken.length + count;
    const progress = () => taken.length;
    await until('more to be taken', () => progress() >= enough, { progress });
  }

  /** Stops publishing, waits until all messages are acknowledged, and returns the counts. */
  async end(): Promise<string> {
    const { publisher, path } = this.#scenario;
    const seconds = (performance.now() - this.#began) / 1000;
    publisher.stop();
    await this.#published;
    await publisher.close();
    this.#scenario.presses.sentBy(publisher);
    const { taken, pressed } = publisher;
    const presses = () =>
      path.acknowledged.filter((message) =>
        message.startsWith(`engawa/${this.#scenario.presses.button}/`),
      );
    const isEveryOne = () =>
      this.#scenario.acknowledged(taken).length === taken.length && presses().length >= pressed;
    await until('all acknowledged', isEveryOne, { progress: () => path.acknowledged.length });
    clearInterval(this.#timer);
    const rate = Math.round(taken.length / seconds);
    const twice = path.acknowledged.length - taken.length - pressed;
    return `${taken.length} readings at ${rate}/s, none stored for ${Math.round(this.#longestPause)} ms at the most, ${path.redelivered} redelivered, ${twice} acknowledged again`;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#scenario.publisher.stop();
  }

  #look(): void {
    const { length } = this.#scenario.path.acknowledged;
    const now = performance.now();
    // Counted from the first stored reading on: before it the first process is still starting.
    if (this.#acknowledged > 0) {
      this.#longestPause = Math.max(this.#longestPause, now - this.#acknowledgedAt);
    }
    if (length === this.#acknowledged) return;
    this.#acknowledged = length;
    this.#acknowledgedAt = now;
  }
}

/** The messages that the broker still queues for a client whose process has ended. */
export async function queuedFor(url: string, clientId: string): Promise<string[]> {
  const queued: string[] = [];
  const client = connect(url, {
    clientId,
    clean: false,
    protocolVersion: 5,
    // Keeps the session for the next process.
    properties: { sessionExpiryInterval: 3600 },
  });
  client.on('message', (topic, payload) => queued.push(`${topic} ${payload.toString()}`));
  await new Promise((resolve, reject) => client.once('connect', resolve).once('error', reject));
  // Published after the queued messages, which arrive as soon as the client has connected.
  await client.publishAsync('upgrade/looked', '', { qos: 1 });
  await client.endAsync();
  return queued;
}
