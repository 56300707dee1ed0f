import { tokensOf } from './tokens.ts';
import type { Token } from './tokens.ts';

/** The labels of a result, or `scalar`. */
export type Labels = ReadonlySet<string> | 'scalar';

/** The labels that series of a name have. @throws Error where there is no such metric */
export type LabelsByName = (name: string) => ReadonlySet<string>;

/** Not with the labels of what they are of. */
const aggregations = new Set([
  ...['sum', 'min', 'max', 'avg', 'count', 'count_values', 'group', 'stddev', 'quantile'],
]);
/** Some of the series that they are of, as they are. */
const selections = new Set(['topk', 'bottomk']);
const scalars = new Set(['time', 'scalar', 'pi', 'end']);
/** Give each series one more label, which is named by their first text. */
const labelling = new Set(['label_replace', 'label_join']);
const setOperators = new Set(['and', 'or', 'unless']);
/** By how strongly they bind, the weakest first. */
const operators = [
  ['or'],
  ['and', 'unless'],
  ['==', '!=', '<=', '>=', '<', '>'],
  ['+', '-'],
  ['*', '/', '%'],
  ['^'],
];

/**
 * The labels that the result of a PromQL expression has. It refuses what Prometheus does not, since it would silently be
 * empty: matchers and groupings by labels that a metric does not have, and operands whose labels never agree.
 */
export function labelsOf(expression: string, byName: LabelsByName): Labels {
  return new Reader(tokensOf(expression), byName).read();
}

class Reader {
  readonly #tokens: Token[];
  readonly #byName: LabelsByName;
  #at = 0;

  constructor(tokens: Token[], byName: LabelsByName) {
    this.#tokens = tokens;
    this.#byName = byName;
  }

  read(): Labels {
    const labels = this.#operation(0);
    if (this.#at < this.#tokens.length) throw this.#unexpected();
    return labels;
  }

  #operation(level: number): Labels {
    const signs = operators[level];
    if (signs === undefined) return this.#unary();
    let left = this.#operation(level + 1);
    for (;;) {
      const sign = signs.find((text) => this.#takes(text));
      if (sign === undefined) return left;
      this.#takes('bool');
      const match = this.#matching();
      left = combine(sign, left, this.#operation(level + 1), match);
    }
  }

  #unary(): Labels {
    if (this.#takes('-') || this.#takes('+')) return this.#unary();
    const labels = this.#primary();
    while (this.#peek()?.kind === 'range') this.#at++;
    if (this.#takes('offset')) {
      this.#takes('-');
      this.#at++;
    }
    if (this.#takes('@')) this.#primary(); // when: `end()`
    return labels;
  }

  #primary(): Labels {
    if (this.#takes('(')) {
      const labels = this.#operation(0);
      this.#expect(')');
      return labels;
    }
    const token = this.#next();
    if (token.kind === 'number') return 'scalar';
    if (token.kind !== 'name') throw this.#unexpected(token);
    const { text } = token;
    if (aggregations.has(text) || selections.has(text)) return this.#aggregation(text);
    if (this.#takes('(')) return this.#call(text);
    return this.#selector(text);
  }

  #selector(name: string): Labels {
    const labels = this.#byName(name);
    if (this.#takes('{')) {
      while (!this.#takes('}')) {
        const { text } = this.#next();
        need(labels, [text], `${name}{…}`);
        this.#at += 2; // how it is matched, and with what
        this.#takes(',');
      }
    }
    return labels;
  }

  #call(name: string): Labels {
    const { given, text } = this.#arguments();
    if (scalars.has(name)) return 'scalar';
    if (name === 'vector') return new Set();
    const [labels = 'scalar'] = given.filter((each) => each !== 'scalar');
    if (labels !== 'scalar' && labelling.has(name)) return union(labels, [text]);
    if (name !== 'histogram_quantile' || labels === 'scalar') return labels;
    need(labels, ['le'], name);
    return without(labels, ['le']);
  }

  #aggregation(name: string): Labels {
    const before = this.#grouping();
    this.#expect('(');
    const { given, text } = this.#arguments();
    const { how, labels: listed } = before ?? this.#grouping() ?? { how: 'by', labels: [] };
    const labels = given.findLast((each) => each !== 'scalar');
    if (labels === undefined) throw new Error(`${name} of no series`);
    need(labels, listed, `${name} ${how}`);
    if (selections.has(name)) return labels;
    const kept = how === 'by' ? new Set(listed) : without(labels, listed);
    return name === 'count_values' ? union(kept, [text]) : kept;
  }

  /** Up to the bracket that closes; of texts only the first. */
  #arguments(): { given: Labels[]; text: string } {
    const given: Labels[] = [];
    let text = '';
    while (!this.#takes(')')) {
      if (this.#peek()?.kind === 'text') {
        const its = this.#next().text.slice(1, -1);
        text ||= its;
      } else given.push(this.#operation(0));
      this.#takes(',');
    }
    return { given, text };
  }

  #grouping() {
    const how = ['by', 'without'].find((text) => this.#takes(text));
    return how === undefined ? undefined : { how, labels: this.#names() };
  }

  #matching(): Matching | undefined {
    const how = ['on', 'ignoring'].find((text) => this.#takes(text));
    if (how === undefined) return undefined;
    const labels = this.#names();
    const side = ['group_left', 'group_right'].find((text) => this.#takes(text));
    const brought = side !== undefined && this.#peek()?.text === '(' ? this.#names() : [];
    return { how, labels, side, brought };
  }

  #names(): string[] {
    this.#expect('(');
    const names: string[] = [];
    while (!this.#takes(')')) {
      names.push(this.#next().text);
      this.#takes(',');
    }
    return names;
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #next(): Token {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw new Error('the expression ends too early');
    return token;
  }

  #takes(text: string): boolean {
    const token = this.#peek();
    const taken = token?.text === text && token.kind !== 'text';
    if (taken) this.#at++;
    return taken;
  }

  #expect(text: string): void {
    if (!this.#takes(text)) throw this.#unexpected();
  }

  #unexpected(token = this.#peek()): Error {
    return new Error(`unexpected “${token?.text ?? 'end'}”`);
  }
}

interface Matching {
  how: string;
  labels: string[];
  side: string | undefined;
  brought: string[];
}

function combine(sign: string, left: Labels, right: Labels, match?: Matching): Labels {
  if (left === 'scalar') return right;
  if (right === 'scalar') return left;
  if (sign === 'or') return union(left, right);
  const isSet = setOperators.has(sign);
  if (match?.how === 'on') {
    need(left, match.labels, `left of ${sign} on`);
    need(right, match.labels, `right of ${sign} on`);
    if (isSet) return left;
    if (match.side === 'group_right') return union(right, match.brought);
    return match.side === 'group_left' ? union(left, match.brought) : new Set(match.labels);
  }
  const ignored = match?.labels ?? [];
  const differing = [...without(left, right), ...without(right, left)];
  const apart = without(new Set(differing), ignored);
  if (apart.size > 0) {
    throw new Error(`both sides of ${sign} never agree: of ${[...apart].join(', ')}`);
  }
  return isSet ? left : without(left, ignored);
}

function union(some: Iterable<string>, others: Iterable<string>): ReadonlySet<string> {
  return new Set([...some, ...others]);
}

function without(some: ReadonlySet<string>, others: Iterable<string>): ReadonlySet<string> {
  const left = new Set(some);
  for (const label of others) left.delete(label);
  return left;
}

function need(labels: ReadonlySet<string>, wanted: readonly string[], where: string): void {
  const missing = wanted.filter((label) => !labels.has(label));
  if (missing.length > 0) throw new Error(`${where}: no label ${missing.join(', ')}`);
}
