import { isReserved } from './reserved-words.ts';
import { tokenize } from './tokenize.ts';
import { present } from '../present.ts';
import type { Path, PathElement } from './syntax.ts';
import type { Token } from './tokenize.ts';

/**
 * Maximum number of operators and functions in an expression, and maximum position in a list
 * (developer guide, "Quotas": expression parameters).
 */
const maxOperators = 300;
const maxListIndex = 2 ** 31 - 1;

/** Reads the tokens of an expression. Each error is a SyntaxError with DynamoDB's message. */
export class TokenReader {
  readonly #tokens: readonly Token[];
  #position = 0;
  #operators = 0;

  /** @throws SyntaxError */
  constructor(text: string) {
    this.#tokens = tokenize(text);
  }

  /** Number of tokens read so far. */
  get position(): number {
    return this.#position;
  }

  get next(): Token {
    return present(this.#tokens[this.#position]);
  }

  /** The token after the next. */
  get afterNext(): Token | undefined {
    return this.#tokens[this.#position + 1];
  }

  take(): Token {
    const token = this.next;
    if (token.kind !== 'end') this.#position += 1;
    return token;
  }

  isSymbol(symbol: string): boolean {
    return this.next.kind === 'symbol' && this.next.text === symbol;
  }

  isKeyword(keyword: string): boolean {
    return this.next.kind === 'word' && this.next.text.toUpperCase() === keyword;
  }

  takeIfSymbol(symbol: string): boolean {
    const isNext = this.isSymbol(symbol);
    if (isNext) this.take();
    return isNext;
  }

  takeIfKeyword(keyword: string): boolean {
    const isNext = this.isKeyword(keyword);
    if (isNext) this.take();
    return isNext;
  }

  expectSymbol(symbol: string): void {
    if (!this.takeIfSymbol(symbol)) throw this.unexpected();
  }

  expectKeyword(keyword: string): void {
    if (!this.takeIfKeyword(keyword)) throw this.unexpected();
  }

  expectEnd(): void {
    if (this.next.kind !== 'end') throw this.unexpected();
  }

  expectValueName(): string {
    if (this.next.kind !== 'value') throw this.unexpected();
    return this.take().text;
  }

  unexpected(): SyntaxError {
    const before = this.#tokens[this.#position - 1]?.text ?? '';
    const { text } = this.next;
    return new SyntaxError(`Syntax error; token: "${text}", near: "${`${before} ${text}`.trim()}"`);
  }

  /** Counts one operator or function. */
  countOperator(): void {
    this.#operators += 1;
    if (this.#operators > maxOperators) {
      throw new SyntaxError(
        `The expression contains too many operators; operator count: ${this.#operators}`,
      );
    }
  }

  path(): Path {
    const steps: PathElement[] = [this.#name()];
    for (;;) {
      if (this.takeIfSymbol('.')) steps.push(this.#name());
      else if (this.takeIfSymbol('[')) {
        if (this.next.kind !== 'number') throw this.unexpected();
        steps.push(listIndex(this.take().text));
        this.expectSymbol(']');
      } else return steps;
    }
  }

  /** Reads one or more elements, separated by commas. */
  list<Element>(parse: () => Element): Element[] {
    const elements = [parse()];
    while (this.takeIfSymbol(',')) elements.push(parse());
    return elements;
  }

  #name(): string {
    const { kind, text } = this.next;
    if (kind !== 'name' && kind !== 'word') throw this.unexpected();
    if (kind === 'word' && isReserved(text)) {
      throw new SyntaxError(`Attribute name is a reserved keyword; reserved keyword: ${text}`);
    }
    this.take();
    return text;
  }
}

function listIndex(digits: string): number {
  const index = Number(digits);
  if (index <= maxListIndex) return index;
  throw new SyntaxError(`List index is not within the allowable range; index: [${digits}]`);
}
