/** Silence after which the broker may have stopped: a broker that still sends is faster. */
export const quietMs = 10;
/**
 * Minimum of messages in flight for a full window: Mosquitto's is 20, HiveMQ's 50. With fewer, devices just send
 * little.
 */
const minWindow = 8;
/** Time after the first acknowledgement in which a stalled broker sends more, even on a busy machine. */
const refillMs = 250;
/** Factor by which a stalled broker sends faster when it is acknowledged at once. */
const minSpeedup = 2;
/**
 * Delay between a failed trial and the next: first, maximum, factor; and the messages of successful trials that reset
 * it.
 */
const firstTrialDelayMs = 1000;
const maxTrialDelayMs = 300_000;
const trialDelayFactor = 3;
const convincing = 50;
/** Minimum linger to measure the rate of messages, and the validity of the measurement. */
const measuredMs = 1000;
const validMs = 10_000;

/** A trial: all lingering readings were written at once; then messages were counted. */
interface Trial {
  /** Messages in flight at its beginning. */
  held: number;
  acknowledged: number;
  /** Messages received after the first acknowledgement. */
  received: number;
  firstAcknowledgedAt: number | undefined;
}

/**
 * Detects that the broker has stopped because its window of unacknowledged messages is full (Mosquitto 20 with MQTT
 * 3.1.1, HiveMQ 50; MQTT does not report the size). Lingering is pointless then: no other readings arrive to share a
 * block. All messages that occupy the broker's window count, those of other partitions included: such a message is
 * acknowledged after the earlier ones of this partition.
 *
 * A stalled broker looks like devices that send as often as their readings linger. A trial tells them apart: all
 * lingering readings are written at once. A stalled broker refills its window as soon as it is acknowledged, so
 * messages arrive much faster than before. As long as that holds, each refill is written at once, except for one second
 * in ten, in which the baseline rate is measured again. After a failed trial readings linger, and the delay until the
 * next trial grows.
 */
export class BrokerStall {
  readonly #window: number;
  readonly #now: () => number;
  /** Messages that the broker waits for. */
  #inFlight = 0;
  /** When readings began to linger, and the messages received since. */
  #lingering: { since: number; received: number };
  #trial: Trial | undefined;
  /** Messages per second while readings lingered, and until when trials are compared with it. */
  #baseline = { perSecond: 0, validUntil: 0 };
  #refilled = 0;
  #nextTrialAt = -Infinity;
  #trialDelayMs = firstTrialDelayMs;

  /**
   * @param window messages that this process accepts without acknowledging one
   * @param now monotonic milliseconds
   */
  constructor(window: number, now: () => number = () => performance.now()) {
    this.#window = window;
    this.#now = now;
    this.#lingering = { since: now(), received: 0 };
  }

  /** The broker may have a backlog from the time without a connection. */
  connected(): void {
    this.#nextTrialAt = -Infinity;
    this.#trialDelayMs = firstTrialDelayMs;
    this.#lingering = { since: this.#now(), received: 0 };
  }

  received(): void {
    this.#inFlight += 1;
    this.#lingering.received += 1;
    if (this.#trial?.firstAcknowledgedAt !== undefined) this.#trial.received += 1;
  }

  /** Acknowledgements were sent: the broker has room for as many messages. */
  acknowledged(count: number): void {
    this.#inFlight -= count;
    if (this.#trial === undefined) return;
    this.#trial.firstAcknowledgedAt ??= this.#now();
    this.#trial.acknowledged += count;
  }

  /** A connection with unacknowledged messages was closed. */
  lost(count: number): void {
    this.#inFlight -= count;
  }

  /**
   * Called after each message. Whether to write now: half of this process's window waits (the other half can arrive
   * meanwhile), or the broker has refilled its window.
   * @param waiting messages that linger
   */
  isFull(waiting: number): boolean {
    if (waiting >= this.#window / 2) return true;
    const trial = this.#trial;
    return trial !== undefined && this.#inFlight >= trial.held && this.#isStalled(trial);
  }

  /** Called `quietMs` after the last message. Whether to write now. */
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
    if (trial.firstAcknowledgedAt !== undefined && now - trial.firstAcknowledgedAt > refillMs)
      this.#fail();
    return false;
  }

  /** Shortly after a start no rate is known; a trial is then valid only as long as the measurement takes. */
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

  /** Whether the trial succeeded; if so, the next trial begins. */
  #isStalled({ held, acknowledged, received, firstAcknowledgedAt }: Trial): boolean {
    if (
      firstAcknowledgedAt === undefined ||
      acknowledged * 2 < held ||
      received * 2 < acknowledged
    ) {
      return false;
    }
    const elapsedMs = Math.max(1, this.#now() - firstAcknowledgedAt);
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
      acknowledged: 0,
      received: 0,
      firstAcknowledgedAt: undefined,
    };
  }
}
