import { Problem } from '@engawa/errors';
import { z } from 'zod';
import { statusOf } from '../response/problem-response.ts';
import type { JsonLine } from './ndjson.ts';

/** Errors that are named one by one. */
const mostErrors = 100;
/** Characters of an error's text: a part of it the client made up. */
const longestMessage = 500;

/** The entries of a body of which nothing came: spread it into what a route answers. */
export const shownFailures = {
  failed: z.int().describe('Entries of which nothing was made.'),
  errors: z
    .array(
      z.strictObject({
        line: z.int().describe('The line, or the place in the array, counted from 1.'),
        message: z.string(),
      }),
    )
    .describe(`Why, of the first ${mostErrors}.`),
};

interface Failures {
  failed: number;
  errors: { line: number; message: string }[];
}

/** Collects what is wrong with the entries of one body. */
export class EntryReport {
  readonly #errors: Failures['errors'] = [];
  #failed = 0;

  /** The entry, unless something is wrong with it, which is noted. */
  checked<Schema extends z.ZodType>(
    { line, value, fault }: JsonLine,
    schema: Schema,
  ): z.output<Schema> | undefined {
    const result = fault === undefined ? schema.safeParse(value) : undefined;
    if (result?.success === true) return result.data;
    this.refused(line, result === undefined ? `The line ${fault}.` : sentenceOf(result.error));
    return undefined;
  }

  /** Takes an entry; where a problem of this entry alone (4xx) refuses it, notes that and goes on with the others. */
  async unlessRefused({ line }: JsonLine, take: () => Promise<void>): Promise<void> {
    try {
      await take();
    } catch (error) {
      if (!(error instanceof Problem) || statusOf[error.code] >= 500) throw error;
      this.refused(line, error.message);
    }
  }

  refused(line: number, message: string): void {
    this.#failed += 1;
    if (this.#errors.length < mostErrors) {
      this.#errors.push({ line, message: message.slice(0, longestMessage).toWellFormed() });
    }
  }

  shown(): Failures {
    const errors = this.#errors.toSorted((left, right) => left.line - right.line);
    return { failed: this.#failed, errors };
  }
}

function sentenceOf({ issues }: z.ZodError): string {
  const [issue] = issues;
  const path = z.core.toDotPath(issue?.path ?? []);
  return `${path === '' ? '' : `${path}: `}${issue?.message ?? 'is not valid'}`;
}
