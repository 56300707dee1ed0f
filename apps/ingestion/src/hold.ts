import { randomUUID } from 'node:crypto';
import type { Message } from '@engawa/mqtt';
import type { Logger } from 'pino';
import type { DeadLetterStore, Letter } from './dead-letter-store.ts';
import type { MessageOutcome } from './metrics.ts';
import type { Refusal } from './refusal.ts';

/** A message that is not durable yet. */
export interface Held {
  readonly message: Message;
  /** Known once it is decoded. */
  device?: string;
  /** What gives its place in the window, and to the broker its acknowledgement. */
  readonly release: (outcome: MessageOutcome) => void;
  /** Names the dead letter as which it is being kept, or is. */
  letter?: string;
  /** Whether that is durable; false where it cannot become so. */
  isKept?: boolean;
}

export interface HoldOptions {
  deadLetters: Pick<DeadLetterStore, 'keep' | 'takeBack'>;
  /** Whether DynamoDB throttles this device's key, and not all of them. */
  isThrottled: (device: string) => boolean;
  /** Milliseconds that a throttled device's message may be held. */
  limit: number;
  /** Messages that may be unacknowledged at once: with half of them held, nothing is waited for any more. */
  window: number;
  log: Logger;
}

/** Milliseconds between two looks at the messages that are held. */
const interval = 100;
/**
 * Milliseconds that a message is held of a device of which others were kept lately: so they are kept steadily, not in waves. Longer
 * than readings of a hot device wait for company, or all of them would be kept for that alone.
 */
const shortLimit = 2000;
/** Letters that are being written at once: two batches, behind which nobody waits for long. */
const keptAtOnce = 50;
/** Messages, and bytes of each, that are in memory still although they are acknowledged: what bounds it. */
const mostKept = 10_000;
const largestKept = 16 * 1024;
/** Bytes of all their payloads: the readings that are made of one take ten times that. */
const mostKeptBytes = 16 * 1024 * 1024;

const why: Refusal = {
  reason: 'throttled',
  detail: "DynamoDB throttles the device's key; the readings are stored as soon as it takes them",
};

/**
 * Acknowledgements leave in the order of receipt, so a message that has to wait for its device's hot key would in the end
 * keep the broker from sending anybody's. So after a while it is kept whole as a dead letter, which is durable too, and
 * acknowledged; the letter goes when its readings have been stored after all.
 */
export class Hold {
  readonly #options: HoldOptions;
  /** In the order of receipt. */
  readonly #held = new Set<Held>();
  /** Letters that nobody needs any more. */
  #done: Letter[] = [];
  #unacknowledged = 0;
  #keeping = 0;
  /** When a message of a device was last kept. */
  readonly #keptAt = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;
  #kept = 0;
  #keptBytes = 0;

  constructor(options: HoldOptions) {
    this.#options = options;
    this.#timer = setInterval(() => {
      this.#look();
      void this.#takeBack();
    }, interval).unref();
  }

  add(held: Held): void {
    this.#held.add(held);
    this.#unacknowledged += 1;
  }

  /** Its readings are durable, or a letter of their own says why not. @returns whether it is still to be acknowledged */
  settled(held: Held): boolean {
    this.#held.delete(held);
    if (held.letter === undefined || held.isKept === false) {
      this.#unacknowledged -= 1;
      return true;
    }
    this.#countKept(held, -1);
    if (held.isKept === true) this.#done.push({ message: held.message, nonce: held.letter });
    return false;
  }

  /** Takes back what can be. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#takeBack();
  }

  #look(): void {
    const { isThrottled } = this.#options;
    const now = Date.now();
    for (const held of this.#held) {
      const { message, device, letter } = held;
      if (this.#keeping >= keptAtOnce || this.#isFull) return;
      if (letter !== undefined || device === undefined || message.payload.length > largestKept)
        continue;
      if (now - message.receivedAt < this.#limitOf(device, now) || !isThrottled(device)) continue;
      this.#keptAt.set(device, now);
      void this.#keep(held).then(() => this.#look());
    }
  }

  get #isFull(): boolean {
    return this.#kept >= mostKept || this.#keptBytes >= mostKeptBytes;
  }

  #countKept({ message }: Held, sign: 1 | -1): void {
    this.#kept += sign;
    this.#keptBytes += sign * message.payload.length;
  }

  /** Milliseconds that this device's messages may be held now. */
  #limitOf(device: string, now: number): number {
    const { limit, window } = this.#options;
    if (this.#unacknowledged > window / 2) return 0;
    const keptAt = this.#keptAt.get(device);
    if (keptAt === undefined) return limit;
    if (now - keptAt < limit) return Math.min(limit, shortLimit);
    this.#keptAt.delete(device);
    return limit;
  }

  async #keep(held: Held): Promise<void> {
    held.letter = randomUUID();
    this.#countKept(held, 1);
    this.#keeping += 1;
    try {
      await this.#options.deadLetters.keep(held.message, [why], held.letter);
      held.isKept = true;
      this.#unacknowledged -= 1;
      held.release('dead_lettered');
      // It may have been stored meanwhile; then the letter has only now come to be.
      if (!this.#held.has(held)) this.#done.push({ message: held.message, nonce: held.letter });
    } catch (error) {
      this.#options.log.debug({ err: error }, 'a throttled message could not be kept');
      this.#giveUp(held);
    } finally {
      this.#keeping -= 1;
    }
  }

  /** Without a letter it is acknowledged when it is stored, which it may be already. */
  #giveUp(held: Held): void {
    held.isKept = false;
    if (this.#held.has(held)) {
      this.#countKept(held, -1);
    } else {
      this.#unacknowledged -= 1;
      held.release('stored');
    }
  }

  /** Many at a time: at the rate at which a hot device sends, one by one would be most of the work. */
  async #takeBack(): Promise<void> {
    const done = this.#done;
    this.#done = [];
    if (done.length === 0) return;
    try {
      await this.#options.deadLetters.takeBack(done);
    } catch (error) {
      // They are stored, so replaying the letters changes nothing.
      this.#options.log.warn({ err: error }, 'dead letters that are done with are still there');
    }
  }
}
