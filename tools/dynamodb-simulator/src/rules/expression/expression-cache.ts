import { invalid } from '../exceptions.ts';
import { parseCondition } from './parse-condition.ts';
import { parseUpdate } from './parse-update.ts';
import { TokenReader } from './token-reader.ts';
import type { Path } from './syntax.ts';

/** Maximum number of cached expressions; a service repeats a few dozen texts. */
const maxEntries = 5000;
/** Maximum bytes of an expression (developer guide, "Quotas": expression parameters). */
const maxBytes = 4096;

/** Caches parsed expressions by text. */
export class ExpressionCache<Parsed> {
  readonly #parse: (text: string) => Parsed;
  readonly #parsed = new Map<string, Parsed>();

  constructor(parse: (text: string) => Parsed) {
    this.#parse = parse;
  }

  /** @param field the request's field, for error messages @throws Refusal */
  get(field: string, text: string): Parsed {
    let parsed = this.#parsed.get(text);
    if (parsed === undefined) {
      parsed = this.#parseChecked(field, text);
      if (this.#parsed.size >= maxEntries) this.#parsed.clear();
      this.#parsed.set(text, parsed);
    }
    return parsed;
  }

  #parseChecked(field: string, text: string): Parsed {
    if (text === '') throw invalid(`Invalid ${field}: The expression can not be empty;`);
    const bytes = Buffer.byteLength(text);
    if (bytes > maxBytes) {
      throw invalid(
        `Invalid ${field}: Expression size has exceeded the maximum allowed size; expression size: ${bytes}`,
      );
    }
    try {
      return this.#parse(text);
    } catch (error) {
      throw error instanceof SyntaxError ? invalid(`Invalid ${field}: ${error.message}`) : error;
    }
  }
}

export function createCaches() {
  return {
    conditions: new ExpressionCache(parseCondition),
    updates: new ExpressionCache(parseUpdate),
    projections: new ExpressionCache(parseProjection),
  };
}
export type ExpressionCaches = ReturnType<typeof createCaches>;

/** @throws SyntaxError */
function parseProjection(text: string): readonly Path[] {
  const tokens = new TokenReader(text);
  const paths = tokens.list(() => tokens.path());
  tokens.expectEnd();
  return paths;
}
