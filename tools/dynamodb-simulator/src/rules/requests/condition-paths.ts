import type { ResolvedCondition } from '../expression/resolve-condition.ts';
import type { Literal, Operand, Path } from '../expression/syntax.ts';

/** All paths of a condition. */
export function conditionPaths(condition: ResolvedCondition): Path[] {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return [...conditionPaths(condition.left), ...conditionPaths(condition.right)];
    case 'not':
      return conditionPaths(condition.condition);
    case 'compare':
      return [condition.left, condition.right].flatMap(pathsOf);
    case 'between':
      return [condition.operand, condition.low, condition.high].flatMap(pathsOf);
    case 'in':
      return [condition.operand, ...condition.list].flatMap(pathsOf);
    case 'function':
      return condition.operands.flatMap(pathsOf);
  }
}

function pathsOf(operand: Operand<Literal>): Path[] {
  if (operand.kind === 'literal') return [];
  return operand.kind === 'path' ? [operand.path] : pathsOf(operand.of);
}
