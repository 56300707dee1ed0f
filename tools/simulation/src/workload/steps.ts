import { PlanParts } from '../plan.ts';
import type { Random } from '../kernel/index.ts';

/** Something that an actor may do. */
export interface Step {
  /** Its own: a step that is left out changes nothing of what others draw. */
  random: Random;
  /** Whether it is done; the plan may leave it out. Call it once, at the step's time. */
  begin: () => boolean;
}

/** The steps of one actor. */
export class Steps {
  readonly parts: PlanParts;
  readonly #random: Random;
  #day = 0;
  #ordinal = 0;

  /** @param kept ids of those that are done; undefined for all */
  constructor(random: Random, kept?: readonly string[]) {
    this.#random = random;
    this.parts = new PlanParts(kept);
  }

  beginDay(day: number): void {
    this.#day = day;
    this.#ordinal = 0;
  }

  /**
   * The next so many of this day. To be called before the first wait of the day, so that their
   * order is the same in each play.
   */
  next(count: number): Step[] {
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
