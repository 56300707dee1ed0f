import { maxCursorLength, parsePosition, cursorContext } from '@engawa/http';
import { deadLetterReasons } from '@engawa/model';
import { z } from 'zod';
import { day, deadLetterId } from './dead-letter-schemas.ts';
import type { CursorCodec } from '@engawa/http';
import type { DeadLetterWork } from './dead-letter-work.ts';
import type { TableTimeout } from './table-timeout.ts';
import type { DayPosition, DeadLetters, FoundDeadLetter } from '../dead-letters/dead-letters.ts';

/** Dead letters of one request, and how many of them are in memory at once. */
const maxDeadLetters = 1000;
const maxConcurrent = 8;
/** Items of one Query: they come with their payloads, of which only the first part is needed here. */
const pageItems = 100;

/** The body of a request about many dead letters. */
export const selection = z
  .strictObject({
    ids: z.array(deadLetterId).min(1).max(maxDeadLetters).optional(),
    day: day.optional(),
    reason: z.enum(deadLetterReasons).optional().describe('Only those of this reason.'),
    topic: z.string().optional().describe('Only those of exactly this topic.'),
    cursor: z
      .string()
      .min(1)
      .max(maxCursorLength)
      .optional()
      .describe('Where to go on: the `cursor` of the answer before, all else the same.'),
  })
  .refine(({ ids, day: given }) => (ids === undefined) !== (given === undefined), {
    message: 'must have either ids or day',
  })
  .refine(({ ids, reason, topic }) => ids === undefined || (reason ?? topic) === undefined, {
    message: 'must not have ids beside reason or topic',
  });

export type Selection = z.output<typeof selection>;

export const moreCursor = z
  .string()
  .optional()
  .describe('There are more: send the same again with this cursor.');

/** What a route about many dead letters needs. */
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
  /** Milliseconds after which no more dead letters are begun with. */
  left: () => number;
  signal: AbortSignal;
}

/** What was done about dead letters that were asked for. */
export interface Worked {
  /** Of `ids`, those that there is no dead letter of; dead letters taken away meanwhile by somebody else. */
  missing: number;
  cursor: string | undefined;
}

/** Does something about each dead letter of a selection, as many as there is time for. */
export async function forEachDeadLetter(
  { ids, cursor, ...filter }: Selection,
  options: SelectionOptions,
  act: (found: FoundDeadLetter) => Promise<void>,
): Promise<Worked> {
  const question = cursorContext(options.operationId, { ids: ids ?? null, ...filter });
  const position = cursor === undefined ? undefined : options.cursors.decode(question, cursor);
  const walk = new Walk(options, act);
  const next =
    ids === undefined
      ? await walk.day(filter, parsePosition(dayPosition, position ?? [0, null]))
      : await walk.ids(ids, parsePosition(z.int(), position ?? 0));
  return {
    missing: walk.missing,
    cursor: next === undefined ? undefined : options.cursors.encode(question, next),
  };
}

const dayPosition = z.tuple([z.int(), z.string().nullable()]);

class Walk {
  missing = 0;
  #begun = 0;
  readonly #options: SelectionOptions;
  readonly #act: (found: FoundDeadLetter) => Promise<void>;

  constructor(options: SelectionOptions, act: (found: FoundDeadLetter) => Promise<void>) {
    this.#options = options;
    this.#act = act;
  }

  /** @returns how many of the ids are done with, unless all are */
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

  /** @returns where to go on, unless this was all */
  async day(
    { day: of = '', reason, topic }: Omit<Selection, 'ids' | 'cursor'>,
    [shard, after]: z.output<typeof dayPosition>,
  ): Promise<[number, string | null] | undefined> {
    let next: DayPosition | undefined = { shard, ...(after !== null && { after }) };
    while (next !== undefined) {
      if (this.#isEnough()) return [next.shard, next.after ?? null];
      const { deadLetters, signal } = this.#options;
      const page = await deadLetters.page(of, next, { limit: pageItems, signal });
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
    return this.#begun >= maxDeadLetters || (this.#begun > 0 && this.#options.left() <= 0);
  }

  /** Each is read again: whole, and as it is now. */
  async #work(ids: readonly string[]): Promise<void> {
    this.#begun += ids.length;
    await Promise.all(
      ids.map(async (id) => {
        const found = await this.#options.deadLetters.find(id, this.#options.signal);
        if (found === undefined) this.missing += 1;
        else await this.#act(found);
      }),
    );
  }
}
