/** Length of a pane. The window slides by one pane at a time. */
const paneMs = 2000;

/** Complete panes of the window, in addition to the current one. */
const wholePanes = 5;

/** Panes per count: those of the window and the current one. */
export const paneCount = wholePanes + 1;

/** Length of the window of rates, without the current pane. */
export const windowSeconds = (wholePanes * paneMs) / 1000;

/** Seconds of one pane. */
export const paneSeconds = paneMs / 1000;

/** Minimum period of a rate, so that the first few records do not make a high one. */
const minSeconds = 1;

export interface TimeWindowOptions {
  /** Called when panes have ended: as many of the oldest must be cleared. */
  onTurn: (panes: number) => void;
}

/** The current position of the window; the only place that handles `now`. */
export class TimeWindow {
  readonly #onTurn: (panes: number) => void;
  #startedAt: number | undefined;
  #now = 0;
  #paneEnd = -Infinity;

  constructor({ onTurn }: TimeWindowOptions) {
    this.#onTurn = onTurn;
  }

  /** Time never goes back: a late record counts at the newest known time. */
  moveTo(now: number): void {
    if (now < this.#paneEnd && now >= this.#now) {
      this.#now = now;
      return;
    }
    if (!Number.isFinite(now)) return;
    if (this.#startedAt === undefined) this.#start(now);
    else if (now > this.#now) this.#now = now;
    if (this.#now < this.#paneEnd) return;
    const panes = Math.floor((this.#now - this.#paneEnd) / paneMs) + 1;
    this.#paneEnd += panes * paneMs;
    this.#onTurn(panes);
  }

  get now(): number {
    return this.#now;
  }

  /** The period of the counts, since the first record or the start of the oldest pane. */
  get seconds(): number {
    const oldest = this.#paneEnd - paneCount * paneMs;
    const since = Math.max(this.#startedAt ?? this.#now, oldest);
    return Math.max(minSeconds, (this.#now - since) / 1000);
  }

  #start(now: number): void {
    this.#startedAt = now;
    this.#now = now;
    this.#paneEnd = now + paneMs;
  }
}
