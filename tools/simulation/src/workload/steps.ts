import { PlanParts } from '../plan.ts';
import type { Random } from '../kernel/index.ts';

/** One step of an actor, which the plan may omit. */
export interface ActorStep {
  /** The step's own generator, so that omitting a step does not change the numbers of others. */
  random: Random;
  /** Whether the plan performs the step. Call it once, at the time of the step. */
  begin: () => boolean;
}

/** The steps of one actor. */
export class ActorSteps {
  readonly parts: PlanParts;
  readonly #random: Random;
  #day = 0;
  #ordinal = 0;

  /** @param kept ids of the steps to perform; undefined for all */
  constructor(random: Random, kept?: readonly string[]) {
    this.#random = random;
    this.parts = new PlanParts(kept);
  }

  beginDay(day: number): void {
    this.#day = day;
    this.#ordinal = 0;
  }

  /**
   * The next `count` steps of this day. Call it before the first wait of the day, so that the order
   * of steps is the same in each run.
   */
  next(count: number): ActorStep[] {
    return Array.from({ length: count }, () => {
      const [day, ordinal] = [this.#day, ++this.#ordinal];
      const begin = () => {
        const isDone = !this.parts.isLeftOut(day, ordinal);
        if (isDone) this.parts.note(day, ordinal);
        return isDone;
      };
      return { random: this.#random.fork(), begin };
    });
  }
}
