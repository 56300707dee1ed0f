import { isObject, normalizeValue } from '../normalize.ts';
import { invalid, Refusal, unreadable } from '../exceptions.ts';
import type { AttributeValue } from '../attribute.ts';
import type { Document } from '../exceptions.ts';
import type { Literal, Path, PathElement, ValueName } from './syntax.ts';

const namesField = 'ExpressionAttributeNames';
const valuesField = 'ExpressionAttributeValues';
/** Maximum characters of a placeholder (developer guide, "Quotas": expression parameters). */
const maxLength = 255;

/** The definitions of a request's `#names` and `:values`, all of which must be used by expressions. */
export class Placeholders {
  readonly #names: ReadonlyMap<string, string>;
  readonly #values: ReadonlyMap<string, AttributeValue>;
  readonly #used = new Set<string>();

  /** @throws Refusal */
  constructor(input: Document, hasExpressions: boolean) {
    this.#names = readMap(input, namesField, /^#[A-Za-z\d_]+$/, readName);
    this.#values = readMap(input, valuesField, /^:[A-Za-z\d_]+$/, readValue);
    if (hasExpressions) return;
    for (const field of [namesField, valuesField]) {
      if (input[field] == null) continue;
      throw invalid(`${field} can only be specified when using expressions`);
    }
  }

  /** @param field the expression's field, for error messages @throws Refusal */
  path(field: string, path: Path): Path {
    return path.some(isPlaceholder) ? path.map((step) => this.#step(field, step)) : path;
  }

  literal(field: string, { name }: ValueName): Literal {
    const value = this.#values.get(name);
    if (value === undefined) {
      throw invalid(
        `Invalid ${field}: An expression attribute value used in expression is not defined; attribute value: ${name}`,
      );
    }
    this.#used.add(name);
    return { kind: 'literal', value };
  }

  /** Call it after all expressions are resolved. @throws Refusal */
  checkAllUsed(): void {
    for (const [field, map] of [
      [namesField, this.#names],
      [valuesField, this.#values],
    ] as const) {
      const unused = [...map.keys()].filter((name) => !this.#used.has(name));
      if (unused.length === 0) continue;
      throw invalid(
        `Value provided in ${field} unused in expressions: keys: {${unused.join(', ')}}`,
      );
    }
  }

  #step(field: string, step: PathElement): PathElement {
    if (!isPlaceholder(step)) return step;
    const name = this.#names.get(String(step));
    if (name === undefined) {
      throw invalid(
        `Invalid ${field}: An expression attribute name used in the document path is not defined; attribute name: ${step}`,
      );
    }
    this.#used.add(String(step));
    return name;
  }
}

/** Applies only to unresolved paths, since an attribute's own name may also begin with `#`. */
function isPlaceholder(step: PathElement): boolean {
  return typeof step === 'string' && step.startsWith('#');
}

function readMap<Content>(
  input: Document,
  field: string,
  pattern: RegExp,
  read: (content: unknown) => Content,
): ReadonlyMap<string, Content> {
  const given = input[field];
  if (given == null) return noEntries;
  if (!isObject(given)) throw unreadable(`${field} must be a map`);
  const names = Object.keys(given);
  if (names.length === 0) throw invalid(`${field} must not be empty`);
  const map = new Map<string, Content>();
  for (const name of names) {
    if (!pattern.test(name) || name.length > maxLength) {
      throw invalid(`${field} contains invalid key: Syntax error; key: "${name}"`);
    }
    map.set(
      name,
      readEntry(field, name, () => read(given[name])),
    );
  }
  return map;
}

const noEntries: ReadonlyMap<string, never> = new Map<string, never>();

function readEntry<Content>(field: string, name: string, read: () => Content): Content {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'ValidationException') throw error;
    throw invalid(`${field} contains invalid value: ${error.message} for key ${name}`);
  }
}

function readName(content: unknown): string {
  if (typeof content !== 'string') throw unreadable('an attribute name must be a string');
  if (content === '') throw invalid('Empty attribute name');
  return content;
}

function readValue(content: unknown): AttributeValue {
  return normalizeValue(content);
}
