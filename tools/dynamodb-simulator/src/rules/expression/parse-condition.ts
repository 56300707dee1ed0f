import { present } from '../present.ts';
import { TokenReader } from './token-reader.ts';
import type { Comparator, Condition, FunctionName, Operand, ValueName } from './syntax.ts';

type UnresolvedCondition = Condition<ValueName>;

const comparators: readonly string[] = ['=', '<>', '<', '<=', '>', '>='];

/** Number of operands by function. */
const functions: Readonly<Record<FunctionName | 'size', number>> = {
  attribute_exists: 1,
  attribute_not_exists: 1,
  attribute_type: 2,
  begins_with: 2,
  contains: 2,
  size: 1,
};
/** Maximum operands of IN (developer guide, "Quotas": expression parameters). */
const maxOperands = 100;

/**
 * Parses a condition or filter, with the precedence NOT, AND, OR (developer guide, "Condition and filter
 * expressions, operators, and functions").
 * @throws SyntaxError
 */
export function parseCondition(text: string): UnresolvedCondition {
  const parser = new ConditionParser(new TokenReader(text));
  return parser.whole();
}

class ConditionParser {
  readonly #tokens: TokenReader;
  /** Tokens of the last parentheses. Parentheses that contain only other parentheses are redundant. */
  #lastGroup: { from: number; to: number } | undefined;

  constructor(tokens: TokenReader) {
    this.#tokens = tokens;
  }

  whole(): UnresolvedCondition {
    const condition = this.#or();
    this.#tokens.expectEnd();
    return condition;
  }

  #or(): UnresolvedCondition {
    let left = this.#and();
    while (this.#tokens.takeIfKeyword('OR')) {
      this.#tokens.countOperator();
      left = { kind: 'or', left, right: this.#and() };
    }
    return left;
  }

  #and(): UnresolvedCondition {
    let left = this.#not();
    while (this.#tokens.takeIfKeyword('AND')) {
      this.#tokens.countOperator();
      left = { kind: 'and', left, right: this.#not() };
    }
    return left;
  }

  #not(): UnresolvedCondition {
    if (!this.#tokens.takeIfKeyword('NOT')) return this.#primary();
    this.#tokens.countOperator();
    return { kind: 'not', condition: this.#not() };
  }

  #primary(): UnresolvedCondition {
    if (this.#tokens.isSymbol('(')) return this.#parenthesized();
    const name = this.#functionName();
    if (name !== undefined && name !== 'size') {
      return { kind: 'function', name, operands: this.#operands(name) };
    }
    return this.#comparison(this.#operand());
  }

  #parenthesized(): UnresolvedCondition {
    this.#tokens.take();
    const from = this.#tokens.position;
    const condition = this.#or();
    if (this.#lastGroup?.from === from && this.#lastGroup.to === this.#tokens.position) {
      throw new SyntaxError('The expression has redundant parentheses;');
    }
    this.#tokens.expectSymbol(')');
    this.#lastGroup = { from: from - 1, to: this.#tokens.position };
    return condition;
  }

  #comparison(operand: Operand<ValueName>): UnresolvedCondition {
    const tokens = this.#tokens;
    const { kind, text } = tokens.next;
    tokens.countOperator();
    if (kind === 'symbol' && comparators.includes(text)) {
      tokens.take();
      return {
        kind: 'compare',
        comparator: text as Comparator,
        left: operand,
        right: this.#operand(),
      };
    }
    if (tokens.takeIfKeyword('BETWEEN')) {
      const low = this.#operand();
      tokens.expectKeyword('AND');
      return { kind: 'between', operand, low, high: this.#operand() };
    }
    if (!tokens.takeIfKeyword('IN')) throw tokens.unexpected();
    return { kind: 'in', operand, list: this.#inList() };
  }

  #inList(): Operand<ValueName>[] {
    this.#tokens.expectSymbol('(');
    const list = this.#tokens.list(() => this.#operand());
    this.#tokens.expectSymbol(')');
    if (list.length <= maxOperands) return list;
    throw new SyntaxError(
      `The IN operator is provided with too many operands; number of operands: ${list.length}`,
    );
  }

  #operand(): Operand<ValueName> {
    if (this.#tokens.next.kind === 'value') {
      return { kind: 'name', name: this.#tokens.take().text };
    }
    const name = this.#functionName();
    if (name === undefined) return { kind: 'path', path: this.#tokens.path() };
    if (name !== 'size') {
      throw new SyntaxError(
        `The function is not allowed to be used this way in an expression; function: ${name}`,
      );
    }
    const [of] = this.#operands(name);
    return { kind: 'size', of: present(of) };
  }

  #operands(name: FunctionName | 'size'): Operand<ValueName>[] {
    this.#tokens.countOperator();
    this.#tokens.take();
    this.#tokens.expectSymbol('(');
    const operands = this.#tokens.list(() => this.#operand());
    this.#tokens.expectSymbol(')');
    if (operands.length === functions[name]) return operands;
    throw new SyntaxError(
      `Incorrect number of operands for operator or function; operator or function: ${name}, number of operands: ${operands.length}`,
    );
  }

  /** A word is a function's name only if a parenthesis follows. */
  #functionName(): FunctionName | 'size' | undefined {
    const { next, afterNext } = this.#tokens;
    if (next.kind !== 'word' || afterNext?.text !== '(') return undefined;
    if (Object.hasOwn(functions, next.text)) return next.text as FunctionName | 'size';
    throw new SyntaxError(`Invalid function name; function: ${next.text}`);
  }
}
