import { kindOf } from '@engawa/model';
import { DeadLettersLedger } from '../../oracles/dead-letters-ledger.ts';
import { MessageOutcomes } from '../../oracles/message-outcomes.ts';
import { allPages } from '../../oracles/pages.ts';
import { checkNothingParked, parkedBlocks } from '../../oracles/parked-blocks.ts';
import { timeoutMs, untilAcknowledged } from '../../oracles/progress.ts';
import { missing, ReadingsLedger } from '../../oracles/readings-ledger.ts';
import { Violation } from '../../world/violation.ts';
import { Device } from './device.ts';
import { smallPoisonOf } from './poison.ts';
import { inFlightOf } from '../../world/scale.ts';
import { expiredDeadLetters, listedDeadLetters } from './listed-dead-letters.ts';
import type { Fields } from '@engawa/model';
import type { ExpectedReading, Retention, ReadingResponse } from '../../oracles/readings-ledger.ts';
import type { Broker, Message, Publication } from '../../broker/index.ts';
import type { Random } from '../../kernel/index.ts';
import type { TableModel } from '../../table/index.ts';
import type { Scale } from '../../world/scale.ts';
import type { Actor, ActorContext } from '../actor.ts';
import type { DeviceMessage } from './device-message.ts';

export interface HouseholdOptions extends ActorContext {
  broker: Broker;
  table: TableModel;
  scale: Scale;
  /** Whether a replica opens the session of this client identifier. */
  isServed: (clientId: string) => boolean;
  devices: number;
  /** Number of messages per day. */
  messages: number;
}

/**
 * Milliseconds by which the time of a reading without a time may differ from its publication,
 * because of replicas' clocks, and of redeliveries by the broker.
 */
const tolerance = { earlierMs: 60_000, laterMs: 3 * 86_400_000 };
const dayMs = 86_400_000;
/** Longer than any world, so that all readings are returned. */
const shownMs = 90 * dayMs;
/** Days in which dead letters have not expired; the retention is 14 days. */
const lettersKeptDays = 12;
/** Maximum milliseconds between two messages, of which one is drawn per day. */
const maxPausesMs = [100, 400, 400, 1500];
/** A burst of equal undecodable messages without pauses; brokers queue 1,000 messages per session. */
const burst = { probability: 0.6, from: 800, to: 950, minInFlight: 20 };
/**
 * Probability that the recent readings of a device are compared after a message, while faults are
 * injected.
 */
const lookProbability = 0.05;
const shownAtOnceMs = 300_000;
/** Maximum characters of a payload in the story. */
const shownLength = 200;

/** Devices of all dialects, which publish to the broker. */
export class Household implements Actor {
  readonly name = 'devices';
  readonly ledger = new ReadingsLedger(tolerance);
  readonly deadLetters = new DeadLettersLedger();
  readonly #context: HouseholdOptions;
  readonly #devices: Device[];
  readonly #outcomes: MessageOutcomes;
  /** Kinds of the readings of each device. */
  readonly #kinds = new Map<string, Set<string>>();
  #burst: number;

  constructor(context: HouseholdOptions) {
    const { random, broker, scale, isServed, wallClock, world } = context;
    this.#context = context;
    this.#outcomes = new MessageOutcomes({
      ...{ broker, isServed, profile: scale.profile, sharing: scale.sharing },
      now: () => world.now(),
      epochMs: wallClock() - world.now(),
    });
    this.#devices = Array.from(
      { length: context.devices },
      (_, index) => new Device(`device${index}`, random.fork()),
    );
    // With fewer messages in flight, acknowledgements serialize the writes anyway.
    const hasBurst = inFlightOf(scale) >= burst.minInFlight && random.chance(burst.probability);
    this.#burst = hasBurst ? random.integer(burst.from, burst.to) : 0;
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
      if (begin()) this.#publish(device, message);
      if (pauseMs > 0) await gateway.sleep(pauseMs);
      this.#outcomes.note();
      if (random.chance(lookProbability)) await this.#look(random);
    }
  }

  async actCalmly(): Promise<void> {
    const { table, gateway, random, scale } = this.#context;
    await this.#untilAcknowledged(0);
    checkNothingParked(table);
    this.#outcomes.expectSubscriptions();
    const present = this.#beginDay();
    for (const device of present) {
      this.#publishUnsent(device);
      this.#publishNext(device);
      if (random.chance(0.5)) await gateway.sleep(random.integer(1, 400));
    }
    await this.#untilAcknowledged(timeoutMs(scale, present.length));
    const messages = this.#publishBurst(random.pick(present));
    for (const device of present) this.#publishNext(device);
    await this.#untilAcknowledged(timeoutMs(scale, messages + present.length));
  }

  async check(): Promise<string[]> {
    this.#outcomes.note();
    const { wallClock } = this.#context;
    const violations: string[] = [];
    for (const device of this.ledger.devices) {
      const now = wallClock();
      const shown = await this.#readingsOf(device);
      violations.push(...this.ledger.violationsOf(device, shown, { isComplete: true, now }));
      const latest = await this.#latestOf(device);
      violations.push(...this.ledger.violationsOf(device, latest, { isComplete: false, now }));
    }
    // Only whole days whose dead letters have not expired.
    const oldest = Math.floor(wallClock() / dayMs) * dayMs - lettersKeptDays * dayMs;
    const since = Math.max(oldest, this.deadLetters.since ?? Infinity);
    const deadLetters = await listedDeadLetters(this.#context, since);
    const expired = await expiredDeadLetters(this.#context);
    return [...violations, ...this.deadLetters.violationsOf(deadLetters, since), ...expired];
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

  /** Publishes a burst, once per world. @returns the number of messages */
  #publishBurst({ name }: Device): number {
    const messages = this.#burst;
    this.#burst = 0;
    if (messages === 0) return 0;
    const { random, narrate, broker } = this.#context;
    const message = smallPoisonOf(name, random);
    narrate(`published ${messages} times: ${describe(message)}`);
    for (let sent = 0; sent < messages; sent++) {
      this.#note(message, broker.publish(publicationOf(message)));
    }
    return messages;
  }

  #publish(device: Device, message: DeviceMessage): void {
    const { broker, narrate } = this.#context;
    const taken = broker.publish(publicationOf(message));
    if (taken === undefined) device.refused(message);
    narrate(`${describe(message)}${taken === undefined ? ' (not accepted)' : ''}`);
    this.#note(message, taken);
  }

  #note({ topic, payload, readings, isPoison }: DeviceMessage, taken: Message | undefined): void {
    if (taken === undefined) return;
    const publishedAt = this.#context.wallClock();
    const outcome = this.#outcomes.published(taken);
    if (isPoison) this.deadLetters.note({ topic, payload, publishedAt, outcome });
    for (const reading of readings) {
      const kept = this.#keptOf(reading);
      this.ledger.note(reading, { publishedAt, outcome, kept });
      const { time } = reading;
      if (time === undefined || this.#context.scale.climateDays === 0) continue;
      const expiresAt = () => time + kept().atLeastMs;
      this.deadLetters.noteExpiring({ topic, payload, publishedAt, outcome, expiresAt });
    }
  }

  /** The retention of a reading. It is uncertain after a device was replaced by a device of another kind. */
  #keptOf({ device, fields }: ExpectedReading): () => Retention {
    const kinds = this.#kinds.get(device) ?? new Set();
    this.#kinds.set(device, kinds.add(kindOf(fields as Fields)));
    const { climateDays } = this.#context.scale;
    const climateMs = climateDays > 0 ? climateDays * dayMs : Infinity;
    return () => ({
      atLeastMs: kinds.has('climate') ? climateMs : Infinity,
      atMostMs: kinds.size === 1 && kinds.has('climate') ? climateMs : Infinity,
    });
  }

  #untilAcknowledged(withinMs: number): Promise<void> {
    const { gateway, world } = this.#context;
    const unacknowledged = () => this.#outcomes.unacknowledged;
    return untilAcknowledged({ unacknowledged, gateway, now: () => world.now() }, withinMs);
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

function publicationOf({ topic, payload, retain, properties }: DeviceMessage): Publication {
  return { topic, payload, qos: 1, retain, properties };
}

const describe = ({ topic, payload }: DeviceMessage) => `${topic} ${payload.slice(0, shownLength)}`;
