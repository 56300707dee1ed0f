import type { RangeMove } from './move-range.ts';

/** A finger, or the mouse with its button held. In CSS pixels from the left edge of the plot. */
export interface Contact {
  x: number;
  y: number;
}

/** A shorter way is a tap. In pixels. */
const slopPixels = 6;
/** Fingers that touch each other have no distance to divide by. In pixels. */
const minDistance = 10;

/**
 * Turns contacts into movements: one pans, two zoom around the point between them. A movement is relative to the
 * range at the last change in the number of contacts, so that rounding does not add up.
 */
export class PointerTracker {
  readonly #contacts = new Map<number, Contact>();
  #starts = new Map<number, Contact>();
  #hasMoved = false;

  get count(): number {
    return this.#contacts.size;
  }

  /** Whether the contacts have moved the range since the first of them began. */
  get hasMoved(): boolean {
    return this.#hasMoved;
  }

  has(id: number): boolean {
    return this.#contacts.has(id);
  }

  /** The range of this moment becomes the start of the following movements. */
  down(id: number, contact: Contact): void {
    if (this.count === 0) this.#hasMoved = false;
    this.#contacts.set(id, contact);
    this.#restart();
  }

  /** @param width of the plot in pixels @returns undefined: not far enough to be a movement */
  move(id: number, contact: Contact, width: number): RangeMove | undefined {
    if (!this.has(id)) return undefined;
    this.#contacts.set(id, contact);
    const [one, other] = [...this.#contacts.keys()].map((key) => {
      const now = this.#contacts.get(key) ?? contact;
      return { now, start: this.#starts.get(key) ?? now };
    });
    if (one === undefined) return undefined;
    this.#hasMoved ||= other !== undefined || isFar(one.start, one.now);
    if (!this.#hasMoved) return undefined;
    if (other === undefined)
      return { anchor: one.start.x / width, at: one.now.x / width, factor: 1 };
    return {
      anchor: (one.start.x + other.start.x) / 2 / width,
      at: (one.now.x + other.now.x) / 2 / width,
      factor: distance(one.start, other.start) / distance(one.now, other.now),
    };
  }

  /** As `down`, for the contacts that stay. */
  up(id: number): void {
    this.#contacts.delete(id);
    this.#restart();
  }

  clear(): void {
    this.#contacts.clear();
  }

  #restart(): void {
    this.#starts = new Map(this.#contacts);
  }
}

/** A way that is more vertical scrolls the page. */
function isFar(start: Contact, now: Contact): boolean {
  const [across, along] = [Math.abs(now.x - start.x), Math.abs(now.y - start.y)];
  return across >= slopPixels && across > along;
}

function distance(one: Contact, other: Contact): number {
  return Math.max(minDistance, Math.hypot(one.x - other.x, one.y - other.y));
}
