import { longestCursor, parsePosition, questionOf } from '@engawa/http';
import { deadLetterReasons } from '@engawa/model';
import { z } from 'zod';
import { day, deadLetterId } from './dead-letter-schemas.ts';
import type { CursorCodec } from '@engawa/http';
import type { DeadLetterWork } from './dead-letter-work.ts';
import type { TablePatience } from './table-patience.ts';
import type { DayPosition, DeadLetters, FoundLetter } from '../dead-letters/dead-letters.ts';

/** Letters of one request, and how many of them are in memory at once. */
const mostLetters = 1000;
const atOnce = 8;
/** Items of one Query: they come with their payloads, of which only the first part is needed here. */
const pageItems = 100;

/** The body of a request about many letters. */
export const selection = z
  .strictObject({
    ids: z.array(deadLetterId).min(1).max(mostLetters).optional(),
    day: day.optional(),
    reason: z.enum(deadLetterReasons).optional().describe('Only those of this reason.'),
    topic: z.string().optional().describe('Only those of exactly this topic.'),
    cursor: z
      .string()
      .min(1)
      .max(longestCursor)
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

/** What a route about many letters needs. */
export interface ManyDeadLetters {
  letters: DeadLetters;
  work: DeadLetterWork;
  cursors: CursorCodec;
  patience: (signal: AbortSignal) => TablePatience;
}

export interface SelectionOptions {
  letters: DeadLetters;
  cursors: CursorCodec;
  operationId: string;
  /** Milliseconds after which no more letters are begun with. */
  left: () => number;
  signal: AbortSignal;
}

/** What was done about letters that were asked for. */
export interface Worked {
  /** Of `ids`, those that there is no letter of; letters taken away meanwhile by somebody else. */
  missing: number;
  cursor: string | undefined;
}

/** Does something about each letter of a selection, as many as there is time for. */
export async function forEachLetter(
  { ids, cursor, ...filter }: Selection,
  options: SelectionOptions,
  act: (found: FoundLetter) => Promise<void>,
): Promise<Worked> {
  const question = questionOf(options.operationId, { ids: ids ?? null, ...filter });
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
  readonly #act: (found: FoundLetter) => Promise<void>;

  constructor(options: SelectionOptions, act: (found: FoundLetter) => Promise<void>) {
    this.#options = options;
    this.#act = act;
  }

  /** @returns how many of the ids are done with, unless all are */
  async ids(ids: readonly string[], start: number): Promise<number | undefined> {
    let done = start;
    while (done < ids.length) {
      if (this.#isEnough()) return done;
      const some = ids.slice(done, done + atOnce);
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
      const { letters, signal } = this.#options;
      const page = await letters.page(of, next, { limit: pageItems, signal });
      const wanted = page.rows.filter(
        ({ head }) =>
          (reason === undefined || head.reason === reason) &&
          (topic === undefined || head.topic === topic),
      );
      for (let start = 0; start < wanted.length; start += atOnce) {
        const some = wanted.slice(start, start + atOnce);
        const before = wanted[start - 1]?.position;
        if (before !== undefined && this.#isEnough()) return [before.shard, before.after ?? null];
        await this.#work(some.map(({ head }) => head.id));
      }
      next = page.next;
    }
    return undefined;
  }

  #isEnough(): boolean {
    return this.#begun >= mostLetters || (this.#begun > 0 && this.#options.left() <= 0);
  }

  /** Each is read again: whole, and as it is now. */
  async #work(ids: readonly string[]): Promise<void> {
    this.#begun += ids.length;
    await Promise.all(
      ids.map(async (id) => {
        const found = await this.#options.letters.find(id, this.#options.signal);
        if (found === undefined) this.missing += 1;
        else await this.#act(found);
      }),
    );
  }
}
