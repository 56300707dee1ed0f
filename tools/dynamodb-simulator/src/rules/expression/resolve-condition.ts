import { attributeTypes, typeOf } from '../attribute.ts';
import { compareValues } from '../compare.ts';
import { invalid } from '../exceptions.ts';
import type { AttributeValue } from '../attribute.ts';
import type { Placeholders } from './placeholders.ts';
import type { Condition, FunctionName, Literal, Operand, ValueName } from './syntax.ts';

export type ResolvedCondition = Condition<Literal>;
type Resolved = Operand<Literal>;

/** Types with an order. */
const ordered = ['S', 'N', 'B'];
/** Types whose values have a size. */
const sized = ['S', 'B', 'SS', 'NS', 'BS', 'L', 'M'];

/**
 * Replaces placeholders by values and names, and rejects operands whose type is wrong for any
 * item.
 * @throws Refusal
 */
export function resolveCondition(
  field: string,
  condition: Condition<ValueName>,
  placeholders: Placeholders,
): ResolvedCondition {
  return new ConditionResolver(field, placeholders).condition(condition);
}

class ConditionResolver {
  readonly #field: string;
  readonly #placeholders: Placeholders;

  constructor(field: string, placeholders: Placeholders) {
    this.#field = field;
    this.#placeholders = placeholders;
  }

  condition(condition: Condition<ValueName>): ResolvedCondition {
    switch (condition.kind) {
      case 'and':
      case 'or': {
        const { kind, left, right } = condition;
        return { kind, left: this.condition(left), right: this.condition(right) };
      }
      case 'not':
        return { kind: 'not', condition: this.condition(condition.condition) };
      case 'compare':
        return this.#comparison(condition);
      case 'between':
        return this.#between(condition);
      case 'in': {
        const operand = this.#operand(condition.operand);
        return { kind: 'in', operand, list: condition.list.map((one) => this.#operand(one)) };
      }
      case 'function':
        return this.#function(condition);
    }
  }

  #comparison({
    comparator,
    ...operands
  }: Extract<Condition<ValueName>, { kind: 'compare' }>): ResolvedCondition {
    const [left, right] = [this.#operand(operands.left), this.#operand(operands.right)];
    this.#checkDistinct(comparator, left, right);
    if (comparator !== '=' && comparator !== '<>') {
      for (const operand of [left, right]) this.#checkType(comparator, operand, ordered);
    }
    return { kind: 'compare', comparator, left, right };
  }

  #between(condition: Extract<Condition<ValueName>, { kind: 'between' }>): ResolvedCondition {
    const [operand, low, high] = [condition.operand, condition.low, condition.high].map((one) =>
      this.#operand(one),
    ) as [Resolved, Resolved, Resolved];
    for (const one of [operand, low, high]) this.#checkType('BETWEEN', one, ordered);
    if (low.kind === 'literal' && high.kind === 'literal') this.#checkBounds(low.value, high.value);
    return { kind: 'between', operand, low, high };
  }

  #checkBounds(low: AttributeValue, high: AttributeValue): void {
    const order = compareValues(low, high);
    if (order !== undefined && order <= 0) return;
    const rule =
      order === undefined
        ? 'same data type for lower and upper bounds'
        : 'upper bound to be greater than or equal to lower bound';
    throw this.#invalid(
      `The BETWEEN operator requires ${rule}; lower bound operand: ${show(low)}, upper bound operand: ${show(high)}`,
    );
  }

  #function({
    name,
    operands: parsed,
  }: Extract<Condition<ValueName>, { kind: 'function' }>): ResolvedCondition {
    const operands = parsed.map((operand) => this.#operand(operand));
    const [first, second] = operands as [Resolved, Resolved | undefined];
    if (name !== 'begins_with' && name !== 'contains') this.#checkIsPath(name, first);
    if (name === 'begins_with') {
      for (const operand of operands) this.#checkType(name, operand, ['S', 'B']);
    }
    if (second !== undefined) {
      this.#checkDistinct(name, first, second);
      if (name === 'attribute_type') this.#checkTypeName(second);
    }
    return { kind: 'function', name, operands };
  }

  #operand(operand: Operand<ValueName>): Resolved {
    switch (operand.kind) {
      case 'path':
        return { kind: 'path', path: this.#placeholders.path(this.#field, operand.path) };
      case 'name':
        return this.#placeholders.literal(this.#field, operand);
      case 'size': {
        const of = this.#operand(operand.of);
        this.#checkType('size', of, sized);
        return { kind: 'size', of };
      }
    }
  }

  #checkIsPath(name: FunctionName, operand: Resolved): void {
    if (operand.kind === 'path') return;
    throw this.#invalid(
      `Operator or function requires a document path; operator or function: ${name}`,
    );
  }

  #checkType(operator: string, operand: Resolved, allowed: readonly string[]): void {
    const type =
      operand.kind === 'size' ? 'N' : operand.kind === 'literal' && typeOf(operand.value);
    if (type === false || allowed.includes(type)) return;
    throw this.#invalid(
      `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`,
    );
  }

  #checkTypeName(operand: Resolved): void {
    const name = operand.kind === 'literal' ? operand.value.S : undefined;
    if (name === undefined) {
      throw this.#invalid(
        'Incorrect operand type for operator or function; operator or function: attribute_type',
      );
    }
    if ((attributeTypes as readonly string[]).includes(name)) return;
    throw this.#invalid(
      `Invalid attribute type name found; type: ${name}, valid types: {${attributeTypes.join(',')}}`,
    );
  }

  #checkDistinct(operator: string, left: Resolved, right: Resolved): void {
    if (left.kind !== 'path' || right.kind !== 'path') return;
    if (JSON.stringify(left.path) !== JSON.stringify(right.path)) return;
    throw this.#invalid(
      `The first operand must be distinct from the remaining operands for this operator or function; operator: ${operator}, first operand: [${left.path.join(', ')}]`,
    );
  }

  #invalid(message: string) {
    return invalid(`Invalid ${this.#field}: ${message}`);
  }
}

/** The format of a value in DynamoDB's error messages. */
function show(value: AttributeValue): string {
  return `AttributeValue: {${Object.entries(value)
    .map(([type, content]) => `${type}:${String(content)}`)
    .join()}}`;
}
