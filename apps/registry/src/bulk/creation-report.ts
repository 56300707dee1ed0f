import { z } from 'zod';
import type { JsonLine } from './ndjson.ts';

/** Errors that are named one by one. */
const mostErrors = 100;
/** Characters of an error's text: a part of it the client made up. */
const longestMessage = 500;

const counts = z.strictObject({
  created: z.int(),
  existing: z.int().describe('Those that were there already, which stay as they are.'),
});

/** What became of the entries of a body. */
export const shownReport = z.strictObject({
  places: counts,
  rooms: counts,
  failed: z.int().describe('Entries of which nothing was made.'),
  errors: z
    .array(
      z.strictObject({
        line: z.int().describe('The line, or the place in the array, counted from 1.'),
        message: z.string(),
      }),
    )
    .describe(`Why, of the first ${mostErrors}.`),
});

type Report = z.output<typeof shownReport>;

/** Collects what becomes of the entries of one body. */
export class CreationReport {
  readonly #counts = {
    places: { created: 0, existing: 0 },
    rooms: { created: 0, existing: 0 },
  };
  readonly #errors: Report['errors'] = [];
  #failed = 0;

  /** The entry, unless something is wrong with it, which is noted. */
  checked<Schema extends z.ZodType>(
    { line, value, fault }: JsonLine,
    schema: Schema,
  ): z.output<Schema> | undefined {
    const result = fault === undefined ? schema.safeParse(value) : undefined;
    if (result?.success === true) return result.data;
    this.#fail(line, result === undefined ? `The line ${fault}.` : sentenceOf(result.error));
    return undefined;
  }

  count(what: 'places' | 'rooms', created: number, wanted: number): void {
    this.#counts[what].created += created;
    this.#counts[what].existing += wanted - created;
  }

  shown(): Report {
    const errors = this.#errors.toSorted((left, right) => left.line - right.line);
    return { ...this.#counts, failed: this.#failed, errors };
  }

  #fail(line: number, message: string): void {
    this.#failed += 1;
    if (this.#errors.length < mostErrors) {
      this.#errors.push({ line, message: message.slice(0, longestMessage).toWellFormed() });
    }
  }
}

function sentenceOf({ issues }: z.ZodError): string {
  const [issue] = issues;
  const path = z.core.toDotPath(issue?.path ?? []);
  return `${path === '' ? '' : `${path}: `}${issue?.message ?? 'is not valid'}`;
}
