import type { CursorCodec, JsonValue } from './cursor-codec.ts';

/** Encodes and decodes the cursors of a list. */
export type Cursors = Pick<CursorCodec, 'encode' | 'decode'>;

/** A moment in base 36, then the cursor; a cursor alone has no full stop. */
const momentCursor = /^(?<moment>[0-9a-z]{1,9})\.(?<cursor>.*)$/s;

/**
 * The moment that `now` means in a list: the time of its first page. The cursors of a list that uses it carry it, and
 * are bound to it if their context has the values that were computed from it (docs/adr/0142).
 */
export class ListMoment implements Cursors {
  readonly #cursors: Cursors;
  readonly #clock: () => number;
  #moment: number | undefined;
  #isUsed = false;

  /** @param cursor of the request @param clock epoch milliseconds */
  constructor(cursors: Cursors, cursor: string | undefined, clock: () => number) {
    const carried = momentCursor.exec(cursor ?? '')?.groups?.['moment'];
    this.#cursors = cursors;
    this.#clock = clock;
    this.#moment = carried === undefined ? undefined : parseInt(carried, 36);
  }

  /** Epoch milliseconds. */
  readonly now = (): number => {
    this.#isUsed = true;
    this.#moment ??= this.#clock();
    return this.#moment;
  };

  encode(context: string, position: JsonValue): string {
    const cursor = this.#cursors.encode(context, position);
    return this.#isUsed ? `${this.now().toString(36)}.${cursor}` : cursor;
  }

  /** @throws Problem `invalid-cursor` also for a cursor of another moment */
  decode(context: string, cursor: string): JsonValue {
    const carried = this.#isUsed ? momentCursor.exec(cursor)?.groups?.['cursor'] : undefined;
    return this.#cursors.decode(context, carried ?? cursor);
  }
}
