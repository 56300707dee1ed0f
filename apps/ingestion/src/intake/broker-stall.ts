/** How long after the last message to ask whether the broker has stopped: a broker that still sends is faster. */
export const quietMs = 10;
/** Fewer messages in flight than these are devices that send little, and no window: Mosquitto's is 20, HiveMQ's 50. */
const minWindow = 8;
/** How long after the first acknowledgement a stalled broker has sent more at the latest, on a busy machine, too. */
const refillMs = 250;
/** A stalled broker sends at least so many times as fast when it is acknowledged at once. */
const minSpeedup = 2;
/** Between a trial that failed and the next: at first, at most, and after how many messages of success at first again. */
const firstTrialDelayMs = 1000;
const maxTrialDelayMs = 300_000;
const trialDelayFactor = 3;
const convincing = 50;
/** How long readings must have lingered for the rate of messages to compare with, and how long a comparison holds. */
const measuredMs = 1000;
const validMs = 10_000;

/** Readings that wait were written at once; this is what followed. */
interface Trial {
  /** Messages in flight when it began. */
  held: number;
  released: number;
  /** After the first release. */
  received: number;
  firstReleasedAt: number | undefined;
}

/**
 * Finds out whether the broker has stopped because its window of unacknowledged messages is full (Mosquitto 20 with MQTT 3.1.1,
 * HiveMQ 50; MQTT does not tell). Then it makes no sense to let readings linger for others to share a block: no others come.
 *
 * By watching alone a stalled broker cannot be told from devices that send as often as their readings linger. So it is tried
 * out: everything that waits is written at once. A stalled broker refills its window as soon as it is acknowledged, and messages
 * come much faster than before; devices do not. As long as that holds, each refill is written at once; but for a second in ten, in
 * which the rate to compare with is measured again. Otherwise readings linger, and the next trial is later each time.
 */
export class BrokerStall {
  readonly #window: number;
  readonly #now: () => number;
  #inFlight = 0;
  /** Since when readings linger, and how many messages have come since. */
  #lingering: { since: number; received: number };
  #trial: Trial | undefined;
  /** Messages a second while readings lingered, until when trials are compared with that. */
  #baseline = { perSecond: 0, validUntil: 0 };
  #refilled = 0;
  #nextTrialAt = -Infinity;
  #trialDelayMs = firstTrialDelayMs;

  /**
   * @param window messages that this process is willing to hold
   * @param now milliseconds of the monotonic clock
   */
  constructor(window: number, now: () => number = () => performance.now()) {
    this.#window = window;
    this.#now = now;
    this.#lingering = { since: now(), received: 0 };
  }

  /** A backlog may have gathered while there was no connection. */
  connected(): void {
    this.#nextTrialAt = -Infinity;
    this.#trialDelayMs = firstTrialDelayMs;
    this.#lingering = { since: this.#now(), received: 0 };
  }

  received(): void {
    this.#inFlight += 1;
    this.#lingering.received += 1;
    if (this.#trial?.firstReleasedAt !== undefined) this.#trial.received += 1;
  }

  released(): void {
    this.#inFlight -= 1;
    if (this.#trial === undefined) return;
    this.#trial.firstReleasedAt ??= this.#now();
    this.#trial.released += 1;
  }

  /**
   * Asked after each message: whether to write now, because half of our own window waits (so that the other half comes in
   * meanwhile), or because the broker has refilled its window.
   * @param waiting messages that linger
   */
  isFull(waiting: number): boolean {
    if (waiting >= this.#window / 2) return true;
    const trial = this.#trial;
    return trial !== undefined && this.#inFlight >= trial.held && this.#isStalled(trial);
  }

  /** Asked `quietMs` after the last message, and as often again while readings linger: whether to write now. */
  isQuiet(waiting: number): boolean {
    const now = this.#now();
    const trial = this.#trial;
    if (trial === undefined) {
      if (waiting === 0 || this.#inFlight < minWindow || now < this.#nextTrialAt) return false;
      this.#baseline = this.#measure(now);
      this.#begin();
      return true;
    }
    if (this.#isStalled(trial)) return true;
    if (trial.firstReleasedAt !== undefined && now - trial.firstReleasedAt > refillMs) this.#fail();
    return false;
  }

  /** Just after a start nothing is known of the rate; then a trial is valid only for as long as measuring takes. */
  #measure(now: number): { perSecond: number; validUntil: number } {
    const { since, received } = this.#lingering;
    if (now - since < measuredMs) return { perSecond: 0, validUntil: now + measuredMs };
    return { perSecond: (received * 1000) / (now - since), validUntil: now + validMs };
  }

  #fail(): void {
    this.#linger(this.#trialDelayMs);
    this.#trialDelayMs = Math.min(maxTrialDelayMs, this.#trialDelayMs * trialDelayFactor);
  }

  #linger(forMs: number): void {
    const now = this.#now();
    this.#trial = undefined;
    this.#refilled = 0;
    this.#lingering = { since: now, received: 0 };
    this.#nextTrialAt = now + forMs;
  }

  /** Whether the trial succeeded; then the next one begins. */
  #isStalled({ held, released, received, firstReleasedAt }: Trial): boolean {
    if (firstReleasedAt === undefined || released * 2 < held || received * 2 < released) {
      return false;
    }
    const elapsedMs = Math.max(1, this.#now() - firstReleasedAt);
    const { perSecond, validUntil } = this.#baseline;
    if (elapsedMs > refillMs || (received * 1000) / elapsedMs < minSpeedup * perSecond) {
      return false;
    }
    this.#refilled += received;
    if (this.#refilled >= convincing) this.#trialDelayMs = firstTrialDelayMs;
    if (this.#now() > validUntil) {
      this.#linger(measuredMs);
      return false;
    }
    this.#begin();
    return true;
  }

  #begin(): void {
    this.#trial = {
      held: Math.max(minWindow, this.#inFlight),
      released: 0,
      received: 0,
      firstReleasedAt: undefined,
    };
  }
}
