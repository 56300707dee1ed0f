import { invariant, Problem } from '@engawa/errors';
import { z } from 'zod';
import { statusOf } from '../response/problem-response.ts';
import type { JsonLine } from './ndjson.ts';

/** Errors that are listed individually. */
const maxErrors = 100;
/** Characters of an error message: it may quote the client's input. */
const maxMessageLength = 500;

/** The fields about rejected entries; spread them into the response schema of a bulk route. */
export const bulkFailureFields = {
  failed: z.int().describe('Number of rejected entries.'),
  errors: z
    .array(
      z.strictObject({
        line: z.int().describe('The line, or the position in the array, from 1.'),
        message: z.string(),
      }),
    )
    .describe(`The reasons of the first ${maxErrors} rejected entries.`),
};

interface Failures {
  failed: number;
  errors: { line: number; message: string }[];
}

/** Collects the rejected entries of one request body. */
export class BulkReport {
  readonly #errors: Failures['errors'] = [];
  #failed = 0;

  /** Validates an entry. @returns its value, or undefined after it was rejected */
  validate<Schema extends z.ZodType>(
    { line, value, error }: JsonLine,
    schema: Schema,
  ): z.output<Schema> | undefined {
    const result = error === undefined ? schema.safeParse(value) : undefined;
    if (result?.success === true) return result.data;
    this.reject(line, result === undefined ? `The line ${error}.` : messageOf(result.error));
    return undefined;
  }

  /** Writes an entry; a problem of this entry rejects it, and other errors are thrown. */
  async rejectOnProblem({ line }: JsonLine, write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (!isAboutEntry(error)) throw error;
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

/**
 * Whether an error is about one entry, so that others may succeed, and sending it again would not help. A lost lock
 * fails the request: the client sends the whole body again.
 */
export function isAboutEntry(error: unknown): error is Problem {
  if (!(error instanceof Problem)) return false;
  return statusOf[error.code] < 500 && error.code !== 'too-many-conflicts';
}

function messageOf({ issues }: z.ZodError): string {
  const issue = invariant(issues[0], 'an error of a schema has an issue');
  const path = z.core.toDotPath(issue.path);
  return `${path === '' ? '' : `${path}: `}${issue.message}`;
}
