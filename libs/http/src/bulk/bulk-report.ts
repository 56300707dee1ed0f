import { Problem } from '@engawa/errors';
import { z } from 'zod';
import { statusOf } from '../response/problem-response.ts';
import type { JsonLine } from './ndjson.ts';

/** Errors that are named one by one. */
const maxErrors = 100;
/** Characters of an error's text: a part of it the client made up. */
const maxMessageLength = 500;

/** The entries of a body of which nothing came: spread it into what a route answers. */
export const bulkFailureFields = {
  failed: z.int().describe('Entries of which nothing was made.'),
  errors: z
    .array(
      z.strictObject({
        line: z.int().describe('The line, or the place in the array, counted from 1.'),
        message: z.string(),
      }),
    )
    .describe(`Why, of the first ${maxErrors}.`),
};

interface Failures {
  failed: number;
  errors: { line: number; message: string }[];
}

/** Collects what is wrong with the entries of one body. */
export class BulkReport {
  readonly #errors: Failures['errors'] = [];
  #failed = 0;

  /** The entry, unless something is wrong with it, which is noted. */
  validate<Schema extends z.ZodType>(
    { line, value, error }: JsonLine,
    schema: Schema,
  ): z.output<Schema> | undefined {
    const result = error === undefined ? schema.safeParse(value) : undefined;
    if (result?.success === true) return result.data;
    this.reject(line, result === undefined ? `The line ${error}.` : sentenceOf(result.error));
    return undefined;
  }

  /** Takes an entry; where a problem of this entry alone (4xx) refuses it, notes that and goes on with the others. */
  async rejectOnProblem({ line }: JsonLine, take: () => Promise<void>): Promise<void> {
    try {
      await take();
    } catch (error) {
      if (!(error instanceof Problem) || statusOf[error.code] >= 500) throw error;
      this.reject(line, error.message);
    }
  }

  reject(line: number, message: string): void {
    this.#failed += 1;
    if (this.#errors.length < maxErrors) {
      this.#errors.push({ line, message: message.slice(0, maxMessageLength).toWellFormed() });
    }
  }

  toBody(): Failures {
    const errors = this.#errors.toSorted((left, right) => left.line - right.line);
    return { failed: this.#failed, errors };
  }
}

function sentenceOf({ issues }: z.ZodError): string {
  const [issue] = issues;
  const path = z.core.toDotPath(issue?.path ?? []);
  return `${path === '' ? '' : `${path}: `}${issue?.message ?? 'is not valid'}`;
}
