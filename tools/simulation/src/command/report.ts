import { kindOfViolation } from '../shrink/kind-of-violation.ts';
import type { Plan } from '../plan.ts';
import type { PlayedRun } from './played-run.ts';
import type { Options } from './options.ts';

/** Number of sentences that are printed from the end of a failed run's story. */
const shownSentences = 200;

/** Prints the result of each run, and the totals. */
export class Report {
  readonly #options: Options;
  readonly #print: (line: string) => void;
  readonly #sums = { worlds: 0, days: 0, events: 0, faults: 0, messages: 0, requests: 0 };
  /** Number of failed runs by kind of violation. */
  readonly #kinds = new Map<string, number>();
  wrong = 0;

  constructor(options: Options, print: (line: string) => void) {
    this.#options = options;
    this.#print = print;
  }

  take(plan: Plan, { violations, story, events, played, messages, requests }: PlayedRun): void {
    const sums = this.#sums;
    sums.worlds += 1;
    sums.days += played.days;
    sums.events += events;
    sums.faults += played.faults.length;
    sums.messages += messages;
    sums.requests += requests;
    const { story: tellsAll } = this.#options;
    if (violations.length === 0 && !tellsAll) return;
    for (const sentence of tellsAll ? story : story.slice(-shownSentences)) this.#print(sentence);
    if (violations.length === 0) return;
    this.wrong += 1;
    for (const violation of violations) this.#print(`WRONG ${violation}`);
    for (const kind of new Set(violations.map((violation) => kindOfViolation(violation)))) {
      this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
    }
    const again = `npm run simulate -- ${argumentsOf(plan, this.#options.undo)}`;
    this.#print(`to repeat seed ${plan.seed}: ${again}`);
    if (!this.#options.shrink) this.#print(`to shrink it: ${again} --shrink`);
  }

  compare(plan: Plan, one: PlayedRun, other: PlayedRun): void {
    if (one.digest === other.digest) return;
    this.wrong += 1;
    this.#print(
      `WRONG seed ${plan.seed} had two different traces, of ${one.events} and ${other.events} events`,
    );
  }

  progress(): void {
    const { plans } = this.#options;
    this.#print(`${this.#sums.worlds} of ${plans.length} worlds, ${this.wrong} failed …`);
  }

  end(seconds: number): void {
    const { worlds, days, events, faults, messages, requests } = this.#sums;
    const rate = (days / seconds).toFixed(1);
    this.#print(
      `${worlds} worlds, ${days} days, ${events} events, ${rate} simulated days a second`,
    );
    this.#print(`${faults} faults, ${messages} messages of devices, ${requests} requests`);
    for (const [kind, count] of this.#kinds) this.#print(`in ${count} worlds: ${kind}`);
    this.#print(`${this.wrong} of ${worlds} worlds failed`);
  }
}

/** Arguments of the command that simulates the plan. */
export function argumentsOf(plan: Plan, undo: string | undefined): string {
  const { seed, days, ...rest } = plan;
  const isDrawn = Object.keys(rest).length === 0;
  const given = isDrawn
    ? `--first ${seed} --seeds 1 --days ${days}`
    : `--plan '${JSON.stringify(plan)}'`;
  return `${given}${undo === undefined ? '' : ` --undo ${undo}`}`;
}
