/** Milliseconds that one pane is of. The window slides by a whole pane at a time. */
const paneMilliseconds = 2000;

/** Whole panes that rates are of; the one that runs comes on top. */
const wholePanes = 5;

/** Panes that a count is kept in: those of the window and the one that runs. */
export const paneCount = wholePanes + 1;

/** Seconds that rates are of; while a pane runs, up to one pane more. */
export const windowSeconds = (wholePanes * paneMilliseconds) / 1000;

/** Seconds of one pane. */
export const paneSeconds = paneMilliseconds / 1000;

/** A rate over less than this many seconds would make much of the first few records. */
const leastSeconds = 1;

export interface TimeWindowOptions {
  /** So many panes have come to their end; as many of the oldest are to be forgotten. */
  onTurn: (panes: number) => void;
}

/** Where in time everything that counts is: the one place that knows `now`. */
export class TimeWindow {
  readonly #onTurn: (panes: number) => void;
  #startedAt: number | undefined;
  #now = 0;
  #paneEnd = -Infinity;

  constructor({ onTurn }: TimeWindowOptions) {
    this.#onTurn = onTurn;
  }

  /** Time never goes back: what is told late counts as of the newest time that was told. */
  moveTo(now: number): void {
    if (now < this.#paneEnd && now >= this.#now) {
      this.#now = now;
      return;
    }
    if (!Number.isFinite(now)) return;
    if (this.#startedAt === undefined) this.#start(now);
    else if (now > this.#now) this.#now = now;
    if (this.#now < this.#paneEnd) return;
    const panes = Math.floor((this.#now - this.#paneEnd) / paneMilliseconds) + 1;
    this.#paneEnd += panes * paneMilliseconds;
    this.#onTurn(panes);
  }

  get now(): number {
    return this.#now;
  }

  /** Seconds that the counts are of, since the first record or since the oldest pane began. */
  get seconds(): number {
    const oldest = this.#paneEnd - paneCount * paneMilliseconds;
    const since = Math.max(this.#startedAt ?? this.#now, oldest);
    return Math.max(leastSeconds, (this.#now - since) / 1000);
  }

  #start(now: number): void {
    this.#startedAt = now;
    this.#now = now;
    this.#paneEnd = now + paneMilliseconds;
  }
}
