/**
 * Interruptible work: each step yields its cost, in fields (roughly a microsecond each). The runner decides how many
 * steps run in one turn of the event loop.
 */
export type SlicedWork<Result> = Generator<number, Result, undefined>;

/** Runs all steps at once. */
export function runSlicedWork<Result>(work: SlicedWork<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
