import { moveRange } from '../../charts/move-range.ts';
import { rangeLimits } from './range.ts';
import type { RangeControl } from '../../charts/bind-gestures.ts';
import type { TimeRange } from '../../charts/chart.ts';
import type { RangeMove } from '../../charts/move-range.ts';

/** Milliseconds without a movement after which the data of the new range is requested. */
const pauseMs = 150;
/** Milliseconds without a step of the wheel after which the next one is another gesture. */
const wheelEndMs = 600;

interface RangeMoverOptions {
  /** A signal: charts follow it. */
  view: RangeControl['view'];
  /** Changes the address, and so the data. @param isStep whether it is the first change of a gesture */
  write: (range: TimeRange, isStep: boolean) => void;
  now?: () => number;
  /** Runs something later. @returns cancels it */
  after?: (ms: number, run: () => void) => () => void;
}

/**
 * Moves the range of the charts: they show it at once, and the address and the data follow when the movement pauses.
 * A gesture with several pauses is one step of the browser's history.
 */
export class RangeMover implements RangeControl {
  readonly view: RangeControl['view'];
  readonly #write: RangeMoverOptions['write'];
  readonly #now: () => number;
  readonly #after: (ms: number, run: () => void) => () => void;
  /** The range at the beginning of the gesture, or the last one of it that was written. */
  #written: TimeRange | undefined;
  #isMoving = false;
  #hasStep = false;
  #cancelPause = (): void => undefined;
  #cancelEnd = (): void => undefined;

  constructor({ view, write, now = Date.now, after = afterTimeout }: RangeMoverOptions) {
    this.view = view;
    this.#write = write;
    this.#now = now;
    this.#after = after;
  }

  /** Shows the range of the address, unless a gesture is ahead of it. */
  show(range: TimeRange): void {
    if (!this.#isMoving) this.view.value = range;
  }

  move(start: TimeRange, move: RangeMove): void {
    if (!this.#isMoving) this.#written = start;
    this.#isMoving = true;
    this.#cancelEnd();
    // A range that reaches into the future already may be moved there.
    const latest = Math.max(this.#now(), start.to);
    this.view.value = moveRange(start, move, { ...rangeLimits, latest });
    this.#cancelPause();
    this.#cancelPause = this.#after(pauseMs, () => this.#writeView());
  }

  end(): void {
    this.#writeView();
    this.#finish();
  }

  endSoon(): void {
    this.#cancelEnd();
    this.#cancelEnd = this.#after(wheelEndMs, () => this.end());
  }

  cancel(): void {
    this.view.value = this.#written;
    this.#finish();
  }

  /** Requests nothing more. */
  stop(): void {
    this.#finish();
  }

  #finish(): void {
    this.#cancelPause();
    this.#cancelEnd();
    this.#isMoving = false;
    this.#hasStep = false;
  }

  #writeView(): void {
    const range = this.view.peek();
    this.#cancelPause();
    if (range === undefined || !this.#isMoving || isSame(range, this.#written)) return;
    this.#written = range;
    const isStep = !this.#hasStep;
    this.#hasStep = true;
    this.#write(range, isStep);
  }
}

function isSame(one: TimeRange, other: TimeRange | undefined): boolean {
  return one.from === other?.from && one.to === other.to;
}

function afterTimeout(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}
