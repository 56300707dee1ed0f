import { invalid } from '../exceptions.ts';
import type { AttributeValue } from '../attribute.ts';
import type { ResolvedCondition } from './resolve-condition.ts';
import type { Literal, Operand } from './syntax.ts';

export type KeyOperator = '=' | '<' | '<=' | '>' | '>=' | 'BETWEEN' | 'begins_with';

/** The term of a Query's key condition for one key attribute. */
export interface KeyTerm {
  name: string;
  operator: KeyOperator;
  /** Two operands for BETWEEN, one for all other operators. */
  operands: readonly AttributeValue[];
}

const mirrored = { '=': '=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

/** The terms of a key condition, at most two. @throws Refusal */
export function keyTerms(condition: ResolvedCondition): KeyTerm[] {
  switch (condition.kind) {
    case 'and':
      return [...keyTerms(condition.left), ...keyTerms(condition.right)];
    case 'compare':
      return [comparison(condition)];
    case 'between': {
      const operands = [literal(condition.low), literal(condition.high)];
      return [{ name: attribute(condition.operand), operator: 'BETWEEN', operands }];
    }
    case 'function': {
      if (condition.name !== 'begins_with') throw unsupported(condition.name);
      const [path, prefix] = condition.operands as [Operand<Literal>, Operand<Literal>];
      return [{ name: attribute(path), operator: 'begins_with', operands: [literal(prefix)] }];
    }
    default:
      throw unsupported(condition.kind.toUpperCase());
  }
}

function comparison({
  comparator,
  left,
  right,
}: Extract<ResolvedCondition, { kind: 'compare' }>): KeyTerm {
  if (comparator === '<>') throw unsupported(comparator);
  if (left.kind === 'literal') {
    return {
      name: attribute(right),
      operator: mirrored[comparator],
      operands: [left.value],
    };
  }
  return { name: attribute(left), operator: comparator, operands: [literal(right)] };
}

function attribute(operand: Operand<Literal>): string {
  if (operand.kind !== 'path') {
    throw invalid('KeyConditionExpressions cannot contain nested operations');
  }
  const [name] = operand.path;
  if (operand.path.length === 1) return String(name);
  throw invalid(
    `Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: ${name}`,
  );
}

function literal(operand: Operand<Literal>): AttributeValue {
  if (operand.kind === 'literal') return operand.value;
  throw invalid(
    'Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition',
  );
}

function unsupported(operator: string) {
  return invalid(`Invalid operator used in KeyConditionExpression: ${operator}`);
}
