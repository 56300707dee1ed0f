/**
 * Work that can be interrupted: each step yields what it cost, in fields that were looked at
 * (roughly a microsecond each). The runner decides how many steps go into one turn of the event
 * loop.
 */
export type Steps<Result> = Generator<number, Result, undefined>;

/** Runs all steps at once. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
