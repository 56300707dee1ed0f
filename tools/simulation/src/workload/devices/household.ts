import { kindOf } from '@engawa/model';
import { DeadLettersLedger } from '../../oracles/dead-letters-ledger.ts';
import { allPages } from '../../oracles/pages.ts';
import { ReadingsLedger } from '../../oracles/readings-ledger.ts';
import { dialects } from './dialects.ts';
import { poisonOf } from './poison.ts';
import type { Fields } from '@engawa/model';
import type { ShownLetter } from '../../oracles/dead-letters-ledger.ts';
import type { Fate, ShownReading } from '../../oracles/readings-ledger.ts';
import type { Random } from '../../kernel/index.ts';
import type { Broker } from '../../broker/index.ts';
import type { Actor, Stage } from '../actor.ts';
import type { Dialect, DeviceMessage, ExpectedReading } from './device-message.ts';

interface Device {
  name: string;
  dialect: Dialect;
  retains: boolean;
  /** How many messages it has sent, with those that the plan leaves out. */
  count: number;
}

export interface HouseholdOptions extends Stage {
  broker: Broker;
  /** Days for which readings of climate devices are kept; 0 is for ever. */
  climateDays: number;
  devices: number;
  /** Messages in one busy time of a day. */
  messages: number;
}

/** What replicas' clocks and held messages may add to the time of a reading that has none. */
const tolerance = { earlierMs: 60_000, laterMs: 3 * 86_400_000 };
const dayMs = 86_400_000;
/** A world lasts for less. */
const shownMs = 90 * dayMs;
/** Less than the 14 days after which they expire. */
const lettersKeptDays = 12;
/** So many days ago there were letters that all have expired, and may not be deleted yet. */
const lettersGoneDays = [15, 16];
/** Milliseconds between two messages at most. */
const longestPauseMs = 400;

/** Devices of all brands, which publish to the broker. */
export class Household implements Actor {
  readonly name = 'devices';
  readonly ledger = new ReadingsLedger(tolerance);
  readonly #stage: HouseholdOptions;
  readonly #devices: Device[];
  readonly letters = new DeadLettersLedger();
  /** What became of messages at the broker, by topic and payload. */
  readonly #fates = new Map<string, Fate>();

  constructor(stage: HouseholdOptions) {
    this.#stage = stage;
    this.#devices = Array.from({ length: stage.devices }, (_, index) => ({
      name: `device${index}`,
      dialect: stage.random.pick(dialects),
      retains: stage.random.chance(0.3),
      count: 0,
    }));
  }

  async act(): Promise<void> {
    const { steps, gateway, messages } = this.#stage;
    for (const { random, begin } of steps.next(messages)) {
      const pauseMs = random.chance(0.5) ? random.integer(1, longestPauseMs) : 0;
      const device = random.pick(this.#devices);
      device.count++;
      if (begin()) this.#publish(device, random);
      if (pauseMs > 0) await gateway.sleep(pauseMs);
      this.#noteFates();
    }
  }

  async check(): Promise<string[]> {
    this.#noteFates();
    const faults: string[] = [];
    for (const device of this.ledger.devices) {
      const now = this.#stage.wallClock();
      const shown = await this.#readingsOf(device);
      faults.push(...this.ledger.faultsOf(device, shown, { isComplete: true, now }));
      const latest = await this.#latestOf(device);
      faults.push(...this.ledger.faultsOf(device, latest, { isComplete: false, now }));
    }
    return [...faults, ...(await this.#letterFaults())];
  }

  /** Of those that are kept for some days yet, of whole days. */
  async #letterFaults(): Promise<string[]> {
    const { wallClock } = this.#stage;
    const oldest = Math.floor(wallClock() / dayMs) * dayMs - lettersKeptDays * dayMs;
    const since = Math.max(oldest, this.letters.since ?? Infinity);
    const shown = new Map<string, ShownLetter>();
    for (let time = since; time < wallClock() + dayMs; time += dayMs) {
      const day = new Date(time).toISOString().slice(0, 10);
      // One that was stored without an answer, and then throttled, is in two shards under one id (docs/adr/0034).
      for (const letter of await this.#lettersOf(day)) shown.set(letter.id, letter);
    }
    return [
      ...this.letters.faultsOf([...shown.values()], since),
      ...(await this.#expiredLetters()),
    ];
  }

  async #expiredLetters(): Promise<string[]> {
    const faults: string[] = [];
    for (const days of lettersGoneDays) {
      const day = new Date(this.#stage.wallClock() - days * dayMs).toISOString().slice(0, 10);
      const left = await this.#lettersOf(day);
      if (left.length > 0) faults.push(`${left.length} dead letters of ${day} have expired`);
    }
    return faults;
  }

  #publish(device: Device, random: Random): void {
    const { broker, wallClock, tell } = this.#stage;
    const now = wallClock();
    const options = { ...device, now, random };
    const message = random.chance(0.05)
      ? poisonOf(device.name, random)
      : device.dialect.nextMessage(options);
    const { topic, payload, retain } = message;
    const isTaken = broker.publish({ topic, payload: Buffer.from(payload), qos: 1, retain });
    tell(`${topic} ${payload}${isTaken ? '' : ' (not taken)'}`);
    if (isTaken) this.#note(message, now);
  }

  #note(message: DeviceMessage, now: number): void {
    const key = keyOf(message.topic, message.payload);
    const fate = () => this.#fates.get(key) ?? { isLost: false, attempts: 1 };
    const { topic, payload, readings, isPoison } = message;
    if (isPoison) this.letters.note({ topic, payload, publishedAt: now, fate });
    for (const reading of readings) {
      const keptMs = this.#keptMsOf(reading);
      this.ledger.note(reading, { publishedAt: now, fate, keptMs });
    }
  }

  /** Each message of a device speaks for the same kind. */
  #keptMsOf({ fields }: ExpectedReading): number | undefined {
    const { climateDays } = this.#stage;
    const expires = climateDays > 0 && kindOf(fields as Fields) === 'climate';
    return expires ? climateDays * dayMs : undefined;
  }

  /** What the broker lost by its own rules is no fault of the services. */
  #noteFates(): void {
    for (const {
      state,
      message,
      attempts,
      isReplay,
    } of this.#stage.broker.takeSettledDeliveries()) {
      if (isReplay) continue;
      const key = keyOf(message.topic, Buffer.from(message.payload).toString());
      const before = this.#fates.get(key) ?? { isLost: false, attempts: 0 };
      const isLost = before.isLost || state === 'dropped';
      this.#fates.set(key, { isLost, attempts: Math.max(before.attempts, attempts) });
    }
  }

  async #readingsOf(device: string): Promise<ShownReading[]> {
    const now = this.#stage.wallClock();
    const range = `from=${now - shownMs}&to=${now + dayMs}`;
    const path = `/v1/devices/${encodeURIComponent(device)}/readings?${range}`;
    const list = { service: 'query', path, limit: { from: 5, to: 1000 } } as const;
    return (await allPages<ShownReading>(this.#stage, list)) ?? [];
  }

  async #latestOf(device: string): Promise<ShownReading[]> {
    const path = `/v1/devices/${encodeURIComponent(device)}/latest?limit=10`;
    const { status, text } = await this.#stage.gateway.insist('query', { path });
    if (status === 404) return [];
    return (JSON.parse(text) as { readings: ShownReading[] }).readings;
  }

  async #lettersOf(day: string): Promise<(ShownLetter & { id: string })[]> {
    const path = `/v1/deadLetters?day=${day}`;
    const list = { service: 'ingestion', path, limit: { from: 5, to: 100 } } as const;
    return (await allPages<ShownLetter & { id: string }>(this.#stage, list)) ?? [];
  }
}

const keyOf = (topic: string, payload: string) => `${topic}\n${payload}`;
