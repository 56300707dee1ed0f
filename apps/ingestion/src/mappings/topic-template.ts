import { invariant } from '@engawa/errors';
import { topicFilter } from '../decoders/topic-filter.ts';

/** The levels of a topic that a template names, in its order. */
export type Captured = readonly string[];

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
  /** Whether any number of levels follow. */
  readonly hasRest: boolean;
  /** Of the levels that vary. */
  readonly names: readonly string[];
  /** The topic filter of all its topics. */
  readonly filter: string;

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
    this.names = levels.flatMap(({ name }) => name ?? []);
    if (new Set(this.names).size < this.names.length)
      throw new RangeError(`${JSON.stringify(text)} uses a name twice`);
    if (this.names.includes('key'))
      throw new RangeError('{key} is the name in a payload: give the level another name');
    this.hasRest = rest !== -1;
    this.#levels = this.hasRest ? levels.slice(0, rest) : levels;
    const wanted = this.#levels.map((level) => level.text ?? '+');
    this.filter = topicFilter([...wanted, ...(this.hasRest ? ['#'] : [])].join('/')).text;
  }

  /** Number of levels, without those of the rest. */
  get length(): number {
    return this.#levels.length;
  }

  /**
   * @param from index of the first level; those before it are a base topic
   * @returns the named levels; undefined for another topic
   */
  match(levels: readonly string[], from: number): Captured | undefined {
    const count = levels.length - from;
    const expected = this.#levels.length;
    if (this.hasRest ? count <= expected : count !== expected) return undefined;
    const captured: string[] = [];
    for (let index = 0; index < expected; index += 1) {
      const level = invariant(levels[from + index], 'the topic has as many levels');
      const wanted = this.#levels[index]?.text;
      if (wanted === undefined) captured.push(level);
      else if (wanted !== level) return undefined;
    }
    if (this.hasRest) captured.push(levels.slice(from + expected).join('/'));
    return captured;
  }
}
