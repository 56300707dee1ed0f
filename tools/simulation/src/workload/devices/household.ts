import { allPages } from '../../oracles/pages.ts';
import { checkNothingParked, parkedBlocks } from '../../oracles/parked-blocks.ts';
import { timeoutMs } from '../../oracles/progress.ts';
import { missing } from '../../oracles/readings-ledger.ts';
import { Violation } from '../../world/violation.ts';
import { Device } from './device.ts';
import { smallPoisonOf } from './poison.ts';
import { Publisher, tolerance } from './publisher.ts';
import { inFlightOf } from '../../world/scale.ts';
import { expiredDeadLetters, listedDeadLetters } from './listed-dead-letters.ts';
import { backlogOf } from './calm/backlog.ts';
import { KeptTopics } from './calm/kept-topics.ts';
import { SameMoment } from './calm/same-moment.ts';
import { violationsOfClocks } from './calm/violations-of-clocks.ts';
import type { ReadingsLedger } from '../../oracles/readings-ledger.ts';
import type { ReadingResponse } from '../../oracles/expected-readings.ts';
import type { Random } from '../../kernel/index.ts';
import type { TableModel } from '../../table/index.ts';
import type { Actor } from '../actor.ts';
import type { KeptTopicsOptions } from './calm/kept-topics.ts';
import type { DeviceMessage } from './device-message.ts';
import type { PublisherOptions } from './publisher.ts';

export interface HouseholdOptions extends KeptTopicsOptions, PublisherOptions {
  table: TableModel;
  devices: number;
  /** Number of messages per day. */
  messages: number;
}

const dayMs = 86_400_000;
/** Longer than any world, so that all readings are returned. */
const shownMs = 90 * dayMs;
/** Days in which dead letters have not expired; the retention is 14 days. */
const lettersKeptDays = 12;
/** Maximum milliseconds between two messages, of which one is drawn per day. */
const maxPausesMs = [100, 400, 400, 1500];
/** Maximum number of equal messages of a device at a moment. */
const maxTimes = 12;
/**
 * A burst without pauses, of equal undecodable messages or of readings; brokers queue 1,000 messages per session. With
 * partitions always, and of sensors.
 */
const burst = { probability: 0.6, from: 800, to: 950, minInFlight: 20 };
/**
 * Probability that the recent readings of a device are compared after a message, while faults are
 * injected.
 */
const lookProbability = 0.05;
const shownAtOnceMs = 300_000;

/** Devices of all dialects, which publish to the broker. */
export class Household implements Actor {
  readonly name = 'devices';
  readonly #context: HouseholdOptions;
  readonly #devices: Device[];
  readonly #publisher: Publisher;
  readonly #sameMoment: SameMoment;
  #burst: number;

  constructor(context: HouseholdOptions) {
    const { random, scale } = context;
    this.#context = context;
    this.#publisher = new Publisher(context);
    this.#sameMoment = new SameMoment(context, this.#publisher);
    this.#devices = Array.from(
      { length: context.devices },
      (_, index) => new Device(`device${index}`, random.fork()),
    );
    // With fewer messages in flight, acknowledgements serialize the writes anyway.
    const hasBurst =
      inFlightOf(scale) >= burst.minInFlight &&
      (scale.sharing === 'partitions' || random.chance(burst.probability));
    this.#burst = hasBurst ? random.integer(burst.from, burst.to) : 0;
  }

  get ledger(): ReadingsLedger {
    return this.#publisher.ledger;
  }

  async act(): Promise<void> {
    const { steps, random, gateway, messages, wallClock } = this.#context;
    const maxPauseMs = random.pick(maxPausesMs);
    const present = this.#beginDay();
    for (const { random, begin } of steps.next(messages)) {
      const pauseMs = random.chance(0.5) ? random.integer(1, maxPauseMs) : 0;
      const device = random.pick(present);
      const message = device.nextMessage(wallClock());
      for (const one of present) this.#publishUnsent(one);
      if (begin()) await this.#send(device, message);
      if (pauseMs > 0) await gateway.sleep(pauseMs);
      this.#publisher.outcomes.note();
      if (random.chance(lookProbability)) await this.#look(random);
    }
  }

  async actCalmly(): Promise<void> {
    const { table, gateway, random, scale } = this.#context;
    await this.#publisher.untilAcknowledged(0);
    checkNothingParked(table);
    this.#publisher.outcomes.expectSubscriptions();
    const present = this.#beginDay();
    for (const device of present) {
      this.#publishUnsent(device);
      this.#publishNext(device);
      if (random.chance(0.5)) await gateway.sleep(random.integer(1, 400));
    }
    await this.#publisher.untilAcknowledged(timeoutMs(scale, maxTimes * present.length));
    const messages = this.#publishBurst(present, random.fork());
    for (const device of present) this.#publishNext(device);
    const most = timeoutMs(scale, messages + maxTimes * present.length);
    await this.#publisher.untilAcknowledged(most);
    await this.#sameMoment.publish();
  }

  async check(): Promise<string[]> {
    this.#publisher.outcomes.note();
    const { wallClock } = this.#context;
    const violations: string[] = [];
    for (const device of this.ledger.devices) {
      const now = wallClock();
      const shown = await this.#readingsOf(device);
      violations.push(...this.ledger.violationsOf(device, shown, { isComplete: true, now }));
      const latest = await this.#latestOf(device);
      violations.push(...this.ledger.violationsOf(device, latest, { isComplete: false, now }));
    }
    violations.push(...(await this.#sameMoment.violations()));
    // Only whole days whose dead letters have not expired.
    const { deadLetters: expected } = this.#publisher;
    const oldest = Math.floor(wallClock() / dayMs) * dayMs - lettersKeptDays * dayMs;
    const since = Math.max(oldest, expected.since ?? Infinity);
    const deadLetters = await listedDeadLetters(this.#context, since);
    const expired = await expiredDeadLetters(this.#context);
    violations.push(...expected.violationsOf(deadLetters, since), ...expired);
    return [...violations, ...(await violationsOfClocks(this.#context, this.#publisher))];
  }

  /** As `check`, with other processes of ingestion. */
  checkReplays(): Promise<string[]> {
    return new KeptTopics(this.#context, this.#publisher).violations();
  }

  /** Checks that acknowledged readings are returned at once, except parked ones. */
  async #look(random: Random): Promise<void> {
    const { devices } = this.ledger;
    if (devices.length === 0) return;
    const device = random.pick(devices);
    const since = this.#context.wallClock() - shownAtOnceMs;
    const stored = this.ledger.storedOf(device, since);
    if (stored.length === 0) return;
    const shown = await this.#readingsOf(device, since - tolerance.earlierMs);
    if (parkedBlocks(this.#context.table).length > 0) return;
    const [violation] = missing(device, stored, shown);
    if (violation !== undefined) throw new Violation(violation);
  }

  /** @returns the devices that are online today */
  #beginDay(): Device[] {
    for (const device of this.#devices) device.beginDay();
    const present = this.#devices.filter(({ isAway }) => !isAway);
    return present.length === 0 ? this.#devices : present;
  }

  #publishNext(device: Device): void {
    this.#publish(device, device.nextMessage(this.#context.wallClock()));
  }

  #publishUnsent(device: Device): void {
    for (const message of device.takeUnsent()) this.#publish(device, message);
  }

  #publish(device: Device, message: DeviceMessage): void {
    const refused = this.#publisher.publish(message);
    if (refused !== undefined) device.refused(refused);
  }

  async #send(device: Device, message: DeviceMessage): Promise<void> {
    const refused = await this.#publisher.send(message);
    if (refused !== undefined) device.refused(refused);
  }

  /** Publishes a burst, once per world. @returns the number of messages */
  #publishBurst(devices: readonly Device[], random: Random): number {
    const messages = this.#burst;
    this.#burst = 0;
    if (messages === 0) return 0;
    if (this.#context.scale.sharing === 'partitions') {
      const backlog = backlogOf(messages, this.#context.wallClock());
      for (const message of backlog) this.#publisher.publish(message);
      return messages;
    }
    if (random.chance(0.5)) {
      const { name } = random.pick(devices);
      this.#publisher.publish({ ...smallPoisonOf(name, random), times: messages });
      return messages;
    }
    let sent = 0;
    while (sent < messages) {
      const message = random.pick(devices).nextReading(this.#context.wallClock());
      this.#publisher.publish(message);
      sent += message.times ?? 1;
    }
    return sent;
  }

  async #readingsOf(device: string, from?: number): Promise<ReadingResponse[]> {
    const now = this.#context.wallClock();
    const range = `from=${from ?? now - shownMs}&to=${now + dayMs}`;
    const path = `/v1/devices/${encodeURIComponent(device)}/readings?${range}`;
    const list = { service: 'query', path, limit: { from: 5, to: 1000 } } as const;
    return (await allPages<ReadingResponse>(this.#context, list)) ?? [];
  }

  async #latestOf(device: string): Promise<ReadingResponse[]> {
    const path = `/v1/devices/${encodeURIComponent(device)}/latest?limit=10`;
    const { status, text } = await this.#context.gateway.insist('query', { path });
    if (status === 404) return [];
    return (JSON.parse(text) as { readings: ReadingResponse[] }).readings;
  }
}
