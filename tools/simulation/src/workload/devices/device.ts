import { dialects } from './dialects.ts';
import { poisonOf } from './poison.ts';
import type { Random } from '../../kernel/index.ts';
import type { Dialect, DeviceMessage } from './device-message.ts';

/** Probability of an undecodable message. */
const poisonProbability = 0.05;
/** Probabilities per day that a device is offline, replaced by another device, or gets other firmware. */
const probabilities = { away: 0.1, replaced: 0.03, updated: 0.03 };

/** The sequence of devices that publish under one name. */
export class Device {
  readonly name: string;
  readonly #random: Random;
  #dialect: Dialect;
  #retains: boolean;
  /** Whether the device republishes messages that the broker did not accept. */
  #isPatient: boolean;
  #count = 0;
  #firmware = 1;
  #unsent: DeviceMessage[] = [];
  isAway = false;

  constructor(name: string, random: Random) {
    this.name = name;
    this.#random = random;
    this.#dialect = random.pick(dialects);
    this.#retains = random.chance(0.3);
    this.#isPatient = random.chance(0.5);
  }

  beginDay(): void {
    const random = this.#random;
    this.isAway = random.chance(probabilities.away);
    if (random.chance(probabilities.updated)) this.#firmware += 1;
    if (!random.chance(probabilities.replaced)) return;
    this.#dialect = random.pick(dialects);
    this.#retains = random.chance(0.3);
    this.#isPatient = random.chance(0.5);
    this.#unsent = [];
  }

  /** @param now epoch milliseconds by the device's clock */
  nextMessage(now: number): DeviceMessage {
    const random = this.#random;
    if (random.chance(poisonProbability)) return poisonOf(this.name, random);
    return this.nextReading(now);
  }

  nextReading(now: number): DeviceMessage {
    const firmware = this.#firmware;
    const options = { name: this.name, retains: this.#retains, firmware, now };
    return this.#dialect.nextMessage({ ...options, count: ++this.#count, random: this.#random });
  }

  /** Notes a message that the broker did not accept. */
  refused(message: DeviceMessage): void {
    if (this.#isPatient) this.#unsent.push(message);
  }

  /** Removes and returns the messages to republish, in order. */
  takeUnsent(): DeviceMessage[] {
    const unsent = this.#unsent;
    this.#unsent = [];
    return unsent;
  }
}
