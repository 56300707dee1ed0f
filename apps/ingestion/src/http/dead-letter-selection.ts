import { maxCursorLength, parsePosition, cursorContext } from '@engawa/http';
import { z } from 'zod';
import { deadLetterFilter } from '../dead-letters/dead-letter-filter.ts';
import { criteria, day, deadLetterId } from './dead-letter-schemas.ts';
import type { CursorCodec, RequestBudget } from '@engawa/http';
import type { DeadLetterWork } from './dead-letter-work.ts';
import type { TableTimeout } from './table-timeout.ts';
import type { DeadLetters, FoundDeadLetter } from '../dead-letters/dead-letters.ts';
import type { Decoder } from '../decoders/decoder.ts';

/** Maximum dead letters of one request, and of those how many are in memory at the same time. */
const maxDeadLetters = 1000;
const maxConcurrent = 8;
/** Items of one Query: they include the first part of their payloads, which is not needed here. */
const pageItems = 100;

/** Request body that selects dead letters. */
export const selection = z
  .strictObject({
    ids: z.array(deadLetterId).min(1).max(maxDeadLetters).optional(),
    day: day.optional(),
    ...criteria,
    cursor: z
      .string()
      .min(1)
      .max(maxCursorLength)
      .optional()
      .describe('The `cursor` of the previous response, with all other properties unchanged.'),
  })
  .refine(({ ids, day: given }) => (ids === undefined) !== (given === undefined), {
    message: 'must have either ids or day',
  })
  .refine(
    ({ ids, reason, topic, device }) =>
      ids === undefined || (reason ?? topic ?? device) === undefined,
    { message: 'must not have ids together with reason, topic or device' },
  );

export type Selection = z.output<typeof selection>;

export const moreCursor = z
  .string()
  .optional()
  .describe('There are more dead letters: repeat the request with this cursor.');

/** Options of a route that works on many dead letters. */
export interface ManyDeadLetters {
  deadLetters: DeadLetters;
  decoders: readonly Decoder[];
  work: DeadLetterWork;
  cursors: CursorCodec;
  timeout: (signal: AbortSignal) => TableTimeout;
}

export interface SelectionOptions {
  deadLetters: DeadLetters;
  decoders: readonly Decoder[];
  cursors: CursorCodec;
  operationId: string;
  /** Remaining milliseconds; at 0 no more dead letters are started. */
  remainingMs: () => number;
  /** Of one page of the list of dead letters. */
  budget: RequestBudget;
  signal: AbortSignal;
}

/** Outcome of the work on selected dead letters. */
export interface SelectionResult {
  /** Number of `ids` without a dead letter, and of dead letters that were removed meanwhile. */
  missing: number;
  cursor: string | undefined;
}

/** Works on a dead letter. @returns false if another request has removed it meanwhile */
export type Act = (found: FoundDeadLetter) => Promise<boolean>;

/** Applies `act` to each selected dead letter until the time is up. */
export async function forEachDeadLetter(
  { ids, cursor, ...filter }: Selection,
  options: SelectionOptions,
  act: Act,
): Promise<SelectionResult> {
  const context = cursorContext(options.operationId, { ids: ids ?? null, ...filter });
  const position = cursor === undefined ? undefined : options.cursors.decode(context, cursor);
  const walk = new Walk(options, act);
  const next =
    ids === undefined
      ? await walk.day(filter, parsePosition(z.string().optional(), position))
      : await walk.ids(ids, parsePosition(z.int(), position ?? 0));
  return {
    missing: walk.missing,
    cursor: next === undefined ? undefined : options.cursors.encode(context, next),
  };
}

class Walk {
  missing = 0;
  #begun = 0;
  #pages = 0;
  readonly #options: SelectionOptions;
  readonly #act: Act;

  constructor(options: SelectionOptions, act: Act) {
    this.#options = options;
    this.#act = act;
  }

  /** @returns the number of ids that are done, unless all are */
  async ids(ids: readonly string[], start: number): Promise<number | undefined> {
    let done = start;
    while (done < ids.length) {
      if (this.#isEnough()) return done;
      const some = ids.slice(done, done + maxConcurrent);
      await this.#work(some);
      done += some.length;
    }
    return undefined;
  }

  /** @returns the id after which to continue, unless all are done */
  async day(
    { day: of = '', ...given }: Omit<Selection, 'ids' | 'cursor'>,
    start: string | undefined,
  ): Promise<string | undefined> {
    const { deadLetters, decoders, budget, signal } = this.#options;
    const matches = deadLetterFilter(given, decoders);
    const list = { day: of, order: 'ascending', matches, limit: pageItems, signal } as const;
    let after = start;
    do {
      const page = await deadLetters.page({ ...list, after, budget: budget.renew() });
      this.#pages += 1;
      const ids = page.rows.map(({ head }) => head.id);
      for (let index = 0; index < ids.length; index += maxConcurrent) {
        if (this.#isEnough() && index > 0) return ids[index - 1];
        await this.#work(ids.slice(index, index + maxConcurrent));
      }
      ({ after } = page);
    } while (after !== undefined && !this.#isEnough());
    return after;
  }

  #isEnough(): boolean {
    if (this.#begun >= maxDeadLetters) return true;
    return this.#begun + this.#pages > 0 && this.#options.remainingMs() <= 0;
  }

  /** Reads each dead letter again: whole, and in its current state. */
  async #work(ids: readonly string[]): Promise<void> {
    this.#begun += ids.length;
    await Promise.all(
      ids.map(async (id) => {
        const found = await this.#options.deadLetters.find(id, this.#options.signal);
        if (found === undefined || !(await this.#act(found))) this.missing += 1;
      }),
    );
  }
}
