import { maxCursorLength, parsePosition, cursorContext } from '@engawa/http';
import { deadLetterReasons } from '@engawa/model';
import { z } from 'zod';
import { day, deadLetterId } from './dead-letter-schemas.ts';
import type { CursorCodec } from '@engawa/http';
import type { DeadLetterWork } from './dead-letter-work.ts';
import type { TableTimeout } from './table-timeout.ts';
import type { DeadLetters, FoundDeadLetter } from '../dead-letters/dead-letters.ts';
import type { DayPosition } from '../dead-letters/page-of-day.ts';

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
    reason: z.enum(deadLetterReasons).optional().describe('Only dead letters with this reason.'),
    topic: z.string().optional().describe('Only dead letters of exactly this topic.'),
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
  .refine(({ ids, reason, topic }) => ids === undefined || (reason ?? topic) === undefined, {
    message: 'must not have ids together with reason or topic',
  });

export type Selection = z.output<typeof selection>;

export const moreCursor = z
  .string()
  .optional()
  .describe('There are more dead letters: repeat the request with this cursor.');

/** Options of a route that works on many dead letters. */
export interface ManyDeadLetters {
  deadLetters: DeadLetters;
  work: DeadLetterWork;
  cursors: CursorCodec;
  timeout: (signal: AbortSignal) => TableTimeout;
}

export interface SelectionOptions {
  deadLetters: DeadLetters;
  cursors: CursorCodec;
  operationId: string;
  /** Remaining milliseconds; at 0 no more dead letters are started. */
  remainingMs: () => number;
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
      ? await walk.day(filter, parsePosition(dayPosition, position ?? [0, null]))
      : await walk.ids(ids, parsePosition(z.int(), position ?? 0));
  return {
    missing: walk.missing,
    cursor: next === undefined ? undefined : options.cursors.encode(context, next),
  };
}

const dayPosition = z.tuple([z.int(), z.string().nullable()]);

class Walk {
  missing = 0;
  #begun = 0;
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

  /** @returns where to continue, unless all are done */
  async day(
    { day: of = '', reason, topic }: Omit<Selection, 'ids' | 'cursor'>,
    [shard, after]: z.output<typeof dayPosition>,
  ): Promise<[number, string | null] | undefined> {
    let next: DayPosition | undefined = { shard, ...(after !== null && { after }) };
    while (next !== undefined) {
      if (this.#isEnough()) return [next.shard, next.after ?? null];
      const { deadLetters, signal } = this.#options;
      const page = await deadLetters.page({ day: of, position: next, limit: pageItems, signal });
      const wanted = page.rows.filter(
        ({ head }) =>
          (reason === undefined || head.reason === reason) &&
          (topic === undefined || head.topic === topic),
      );
      for (let start = 0; start < wanted.length; start += maxConcurrent) {
        const some = wanted.slice(start, start + maxConcurrent);
        const before = wanted[start - 1]?.position;
        if (before !== undefined && this.#isEnough()) return [before.shard, before.after ?? null];
        await this.#work(some.map(({ head }) => head.id));
      }
      next = page.next;
    }
    return undefined;
  }

  #isEnough(): boolean {
    return this.#begun >= maxDeadLetters || (this.#begun > 0 && this.#options.remainingMs() <= 0);
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
