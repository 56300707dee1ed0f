import { keyTerms } from '../rules/expression/key-condition.ts';
import { Placeholders } from '../rules/expression/placeholders.ts';
import { resolveCondition } from '../rules/expression/resolve-condition.ts';
import { normalizeValue } from '../rules/normalize.ts';
import type { KeyOperator, KeyTerm } from '../rules/expression/key-condition.ts';
import type { ClientRequest } from './plan.ts';

interface OlderCondition {
  ComparisonOperator: string;
  AttributeValueList: unknown[];
}

const olderOperators: Readonly<Record<string, KeyOperator>> = {
  EQ: '=',
  LT: '<',
  LE: '<=',
  GT: '>',
  GE: '>=',
  BETWEEN: 'BETWEEN',
  BEGINS_WITH: 'begins_with',
};

/**
 * The terms of a Query's key condition, from KeyConditionExpression or from the legacy parameter KeyConditions.
 * @throws Refusal
 */
export function queryTerms({ body, expressions }: ClientRequest): KeyTerm[] {
  const older = body['KeyConditions'] as Record<string, OlderCondition> | undefined;
  if (older === undefined) {
    const field = 'KeyConditionExpression';
    const parsed = expressions.conditions.get(field, String(body[field]));
    return keyTerms(resolveCondition(field, parsed, new Placeholders(body, true)));
  }
  return Object.entries(older).flatMap(([name, { ComparisonOperator, AttributeValueList }]) => {
    const operator = olderOperators[ComparisonOperator];
    const operands = AttributeValueList.map((value) => normalizeValue(value));
    return operator === undefined ? [] : [{ name, operator, operands }];
  });
}
