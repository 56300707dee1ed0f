/** A value that a path leads to. */
export interface Found {
  value: unknown;
  /** The names that lead to it, without wildcards. */
  path: readonly string[];
  /** The name that the last wildcard stands for. */
  key?: string;
  /** The value that the last wildcard stands for, or what contains the found value if the path ends with the wildcard. */
  beside: unknown;
}

const nameOfPath = /"((?:[^"\\]|\\.)*)"|([^."]+)/y;

/** A path in a payload, such as `uplink_message.decoded_payload.*`. */
export class PayloadPath {
  readonly #names: readonly string[];
  /** Whether it starts at the payload, not at the element of `each`. */
  readonly isAbsolute: boolean;
  readonly hasWildcard: boolean;

  /** @throws RangeError for a text that is no path */
  constructor(text: string) {
    this.isAbsolute = text.startsWith('/');
    this.#names = namesOf(this.isAbsolute ? text.slice(1) : text);
    this.hasWildcard = this.#names.includes('*');
  }

  /** The last name; undefined for the whole value. */
  get lastName(): string | undefined {
    return this.#names.at(-1);
  }

  /** All values that the path leads to, in their order. */
  find(from: unknown): Found[] {
    let found: Found[] = [{ value: from, path: [], beside: from }];
    for (const [index, name] of this.#names.entries()) {
      const isLast = index === this.#names.length - 1;
      found = found.flatMap((one) => (name === '*' ? each(one, isLast) : step(one, name)));
    }
    return found;
  }

  /** The first value; undefined if there is none. */
  first(from: unknown): unknown {
    if (this.hasWildcard) return this.find(from)[0]?.value;
    let value = from;
    for (const name of this.#names) {
      if (!has(value, name)) return undefined;
      value = own(value, name);
    }
    return value;
  }
}

function step({ value, path, ...rest }: Found, name: string): Found[] {
  return has(value, name) ? [{ ...rest, value: own(value, name), path: [...path, name] }] : [];
}

function each({ value, path }: Found, isLast: boolean): Found[] {
  return keysOf(value).map((key) => {
    const inner = own(value, key);
    return { value: inner, path: [...path, key], key, beside: isLast ? value : inner };
  });
}

function namesOf(text: string): string[] {
  if (text === '$') return [];
  const names: string[] = [];
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
    names.push(plain ?? (JSON.parse(`"${quoted ?? ''}"`) as string));
  }
  if (names.length === 0 || text.endsWith('.')) {
    throw new RangeError(`${JSON.stringify(text)} is not a path: a name is missing at its end`);
  }
  return names;
}

/** Of an object or an array of the payload; numbers with many digits are objects, too, and have none. */
function keysOf(value: unknown): string[] {
  return isContainer(value) ? Object.keys(value) : [];
}

function has(value: unknown, name: string): boolean {
  return isContainer(value) && Object.prototype.propertyIsEnumerable.call(value, name);
}

function own(value: unknown, name: string): unknown {
  return (value as Record<string, unknown>)[name];
}

function isContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}
