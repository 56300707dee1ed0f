import { invariant } from '@engawa/errors';
import { isContainer, ownValue } from './containers.ts';
import type { StepCount } from './mapping-limits.ts';

/** A value that a path with a wildcard leads to. */
export interface Found {
  value: unknown;
  /** The last name of the path, without wildcards. */
  name: string | undefined;
  /** The name that the last wildcard stands for. */
  key: string;
  /** The value that the last wildcard stands for; what contains the found value if the path ends with the wildcard. */
  beside: unknown;
}

/** Any name of an object, any index of an array. */
export const wildcard = Symbol('*');

export type PathName = string | typeof wildcard;

const nameOfPath = /"((?:[^"\\]|\\.)*)"|([^."]+)/y;

/** A path in a payload, such as `uplink_message.decoded_payload.*`. */
export class PayloadPath {
  readonly names: readonly PathName[];
  /** Whether it starts at the payload, not at the element of `each`. */
  readonly isAbsolute: boolean;
  readonly hasWildcard: boolean;
  /** The names of a path without a wildcard. */
  readonly #plain: readonly string[];

  /** @throws RangeError for a text that is no path */
  constructor(text: string) {
    this.isAbsolute = text.startsWith('/');
    this.names = namesOf(this.isAbsolute ? text.slice(1) : text);
    this.#plain = this.names.filter((name) => name !== wildcard);
    this.hasWildcard = this.#plain.length < this.names.length;
  }

  /** The last name; undefined for the whole value, and for a wildcard. */
  get lastName(): string | undefined {
    const name = this.names.at(-1);
    return name === wildcard ? undefined : name;
  }

  /** The first value; undefined if there is none. */
  first(from: unknown, count: StepCount): unknown {
    if (this.hasWildcard) return this.find(from, count)[0]?.value;
    return this.at(from);
  }

  /** The value of a path without a wildcard; undefined if there is none. It takes a step for each name. */
  at(from: unknown): unknown {
    let value = from;
    for (const name of this.#plain) {
      value = ownValue(value, name);
      if (value === undefined) return undefined;
    }
    return value;
  }

  /** All values of a path with a wildcard, in their order. */
  find(from: unknown, count: StepCount): Found[] {
    const found: Found[] = [];
    const start: Found = { value: from, name: undefined, key: '', beside: from };
    this.#collect(start, { index: 0, found, count });
    return found;
  }

  #collect(at: Found, search: { index: number; found: Found[]; count: StepCount }): void {
    const { index, found, count } = search;
    count.add(1);
    const name = this.names[index];
    if (name === undefined) {
      found.push(at);
      return;
    }
    const { value } = at;
    const next = { index: index + 1, found, count };
    if (name !== wildcard) {
      const inner = ownValue(value, name);
      if (inner !== undefined) this.#collect({ ...at, value: inner, name }, next);
      return;
    }
    if (!isContainer(value)) return;
    const isLast = next.index === this.names.length;
    for (const key of Object.keys(value)) {
      const inner = value[key];
      this.#collect({ value: inner, name: key, key, beside: isLast ? value : inner }, next);
    }
  }
}

function namesOf(text: string): PathName[] {
  if (text === '$') return [];
  const names: PathName[] = [];
  nameOfPath.lastIndex = 0;
  for (let index = 0; index < text.length; index = nameOfPath.lastIndex + 1) {
    nameOfPath.lastIndex = index;
    const [all, quoted, plain] = nameOfPath.exec(text) ?? [];
    const next = all === undefined ? undefined : text[nameOfPath.lastIndex];
    if (all === undefined || (next !== undefined && next !== '.')) {
      throw new RangeError(
        `${JSON.stringify(text)} is not a path: names are separated by single dots`,
      );
    }
    names.push(
      plain === '*'
        ? wildcard
        : (plain ?? unquoted(invariant(quoted, 'a name is plain or quoted'))),
    );
  }
  if (names.length === 0 || text.endsWith('.')) {
    throw new RangeError(`${JSON.stringify(text)} is not a path: a name is missing at its end`);
  }
  return names;
}

/** @param quoted as in JSON, without its quotation marks */
function unquoted(quoted: string): string {
  try {
    return JSON.parse(`"${quoted}"`) as string;
  } catch {
    throw new RangeError(`"${quoted}" is not a name: it is written as a text of JSON`);
  }
}
