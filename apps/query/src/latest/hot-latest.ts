import { latestInstant, shardsToRead } from '@engawa/keys';
import type { Budget } from '@engawa/http';
import type { Latest, LatestQuestion } from './latest-of-device.ts';

/** What a load may cost, and is told of what it costs. */
export type Spending = Pick<Budget, 'charge' | 'isSpent'>;

export interface HotLatestOptions {
  load: (
    question: Omit<LatestQuestion, 'budget'> & { budget: Spending },
  ) => Promise<Latest | undefined>;
  /**
   * Where reads of a device's key are about to be more than its partition takes, the share of them that are of this process,
   * from 0 to 1; otherwise undefined.
   */
  shareOfHot: (device: string) => number | undefined;
  /** Units a second that one partition key takes. */
  readLimit: number;
  /** Milliseconds on a clock that never goes back. */
  now: () => number;
}

interface Shared {
  answer: Promise<Latest | undefined>;
  limit: number;
  beganAt: number;
  /** How many have asked since `countedFrom`. */
  asked: number;
  countedFrom: number;
  /** What it took of each of the device's keys; 0 until that is known. */
  unitsOfKey: number;
  /** The share of this process when sharing began: what is shared takes next to nothing, here and in other processes. */
  shareOfHot: number;
}

/** Milliseconds: no answer is older than this when it is asked for. */
export const sharedFor = 1000;

/**
 * Share of the limit from which answers go on being shared, by this process and others in the proportion that they had before.
 * Those that are shared cost so little that the key cools: were that the end of it, it would be hot again a moment later.
 */
const stillWanted = 0.5;

/** Nobody goes away with it: others wait for the same. */
const nobodys = new AbortController().signal;

/**
 * The latest of devices. Whoever asks for an ordinary one has a Query of his own, and the newest there is. Those who ask for a
 * hot one share the Query of the last second: a partition key takes no more reads for being asked by more.
 */
export class HotLatest {
  readonly #options: HotLatestOptions;
  /** The one that began first comes first. */
  readonly #shared = new Map<string, Shared>();

  constructor(options: HotLatestOptions) {
    this.#options = options;
  }

  async get(question: LatestQuestion): Promise<Latest | undefined> {
    const shared = this.#sharedBy(question);
    if (shared === undefined) return this.#options.load(question);
    const latest = await shared.answer;
    question.signal.throwIfAborted();
    if (latest === undefined) return undefined;
    const readings = latest.readings.slice(0, question.limit);
    const isIncomplete = latest.isIncomplete && readings.length < question.limit;
    return { ...latest, readings, isIncomplete };
  }

  /** What is there already or begins now; undefined where the device is not hot. */
  #sharedBy(question: LatestQuestion): Shared | undefined {
    const { id, limit } = question;
    const time = this.#options.now();
    const known = this.#shared.get(id);
    if (known === undefined || time - known.beganAt >= sharedFor) {
      const isStillWanted = known !== undefined && this.#isWanted(known, time);
      const shareOfHot = isStillWanted ? known.shareOfHot : this.#options.shareOfHot(id);
      this.#shared.delete(id);
      if (shareOfHot === undefined) return undefined;
      return this.#begin(question, { asked: 1, countedFrom: time, shareOfHot });
    }
    known.asked += 1;
    // The newest ten are in the newest hundred, but not the other way round.
    return limit <= known.limit ? known : this.#begin(question, known);
  }

  /** Whether those who shared it would have made the key hot, had each asked for himself. */
  #isWanted({ asked, countedFrom, unitsOfKey, shareOfHot }: Shared, time: number): boolean {
    const unitsPerSecond = (asked * unitsOfKey * 1000) / (time - countedFrom);
    return unitsPerSecond >= stillWanted * shareOfHot * this.#options.readLimit;
  }

  #begin(
    question: LatestQuestion,
    { asked, countedFrom, shareOfHot }: Pick<Shared, 'asked' | 'countedFrom' | 'shareOfHot'>,
  ): Shared {
    const { id, limit, budget } = question;
    const beganAt = this.#options.now();
    const metered = new Metered(budget.renewed()); // what is left of his alone may be too little for the others
    const answer = this.#options.load({ id, limit, budget: metered, signal: nobodys });
    const shared = { answer, limit, beganAt, asked, countedFrom, unitsOfKey: 0, shareOfHot };
    answer.then(
      (latest) => {
        const epochs = latest?.device.shards ?? [];
        shared.unitsOfKey = metered.units / shardsToRead(epochs, latestInstant);
        budget.charge(metered.units);
      },
      () => {
        if (this.#shared.get(id) === shared) this.#shared.delete(id);
      },
    );
    this.#keep(id, shared);
    return shared;
  }

  /** Beside it only what is not much older: of devices that nobody asks for any more, nothing. */
  #keep(id: string, shared: Shared): void {
    this.#shared.delete(id); // or it would keep its old place in the order
    for (const [other, { beganAt }] of this.#shared) {
      if (shared.beganAt - beganAt < 2 * sharedFor) break;
      this.#shared.delete(other);
    }
    this.#shared.set(id, shared);
  }
}

/** A budget that says what was taken from it. */
class Metered implements Spending {
  readonly #budget: Budget;
  units = 0;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  charge(units: number): void {
    this.units += units;
    this.#budget.charge(units);
  }

  get isSpent(): boolean {
    return this.#budget.isSpent;
  }
}
