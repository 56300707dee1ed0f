/** The levels of a topic by the names of a template. */
export type Captured = Readonly<Record<string, string>>;

interface Level {
  /** A fixed level. */
  text?: string;
  /** The name of a level that varies. */
  name?: string;
}

const named = /^\{([A-Za-z][A-Za-z0-9_]*)(\.\.\.)?\}$/;

/** A topic such as `N/{portal}/{service}/{path...}`. */
export class TopicTemplate {
  readonly #levels: readonly Level[];
  /** The name of all further levels. */
  readonly #rest: string | undefined;

  /** @throws RangeError for a template that is no topic */
  constructor(text: string) {
    const levels = text.split('/').map((level): Level & { isRest: boolean } => {
      const [, name, dots] = named.exec(level) ?? [];
      if (name !== undefined) return { name, isRest: dots !== undefined };
      if (/[{}+#]/.test(level))
        throw new RangeError(
          `${JSON.stringify(level)} is not a level: {name} is a level that varies`,
        );
      return { text: level, isRest: false };
    });
    const rest = levels.findIndex(({ isRest }) => isRest);
    if (rest !== -1 && rest < levels.length - 1)
      throw new RangeError(`${JSON.stringify(text)} has a level after {${levels[rest]?.name}...}`);
    const names = levels.flatMap(({ name }) => name ?? []);
    if (new Set(names).size < names.length)
      throw new RangeError(`${JSON.stringify(text)} uses a name twice`);
    this.#rest = rest === -1 ? undefined : levels[rest]?.name;
    this.#levels = rest === -1 ? levels : levels.slice(0, rest);
  }

  /** The topic filter of all its topics. */
  get filter(): string {
    const levels = this.#levels.map(({ text }) => text ?? '+');
    return [...levels, ...(this.#rest === undefined ? [] : ['#'])].join('/');
  }

  get names(): string[] {
    return [
      ...this.#levels.flatMap(({ name }) => name ?? []),
      ...(this.#rest === undefined ? [] : [this.#rest]),
    ];
  }

  /** @returns the named levels; undefined for another topic */
  match(levels: readonly string[], from = 0): Captured | undefined {
    const count = levels.length - from;
    const expected = this.#levels.length;
    if (this.#rest === undefined ? count !== expected : count <= expected) return undefined;
    const captured: Record<string, string> = {};
    for (const [index, { text, name }] of this.#levels.entries()) {
      const level = levels[from + index] ?? '';
      if (name !== undefined) captured[name] = level;
      else if (text !== level) return undefined;
    }
    if (this.#rest !== undefined) captured[this.#rest] = levels.slice(from + expected).join('/');
    return captured;
  }
}
