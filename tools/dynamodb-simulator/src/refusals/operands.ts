import { writesOf } from './writes-of.ts';
import type { ClientRequest } from '../plans/plan.ts';

/** Operands of one IN (developer guide, "Quotas": expression parameters). */
const maxOperands = 100;

const expressions = ['ConditionExpression', 'FilterExpression'];

export function refusedOperands(asked: ClientRequest): string | undefined {
  for (const body of [asked.body, ...writesOf(asked).map(({ action }) => action)]) {
    for (const name of expressions) {
      const count = mostOperands(body[name]);
      if (count > maxOperands) {
        return `Invalid ${name}: The IN operator is provided with too many operands; number of operands: ${count}`;
      }
    }
  }
  return undefined;
}

function mostOperands(expression: unknown): number {
  if (typeof expression !== 'string') return 0;
  const lists = [...expression.matchAll(/\bIN\s*\(([^()]*)\)/gi)];
  return Math.max(0, ...lists.map(([, operands = '']) => operands.split(',').length));
}
