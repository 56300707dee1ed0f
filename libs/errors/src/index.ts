export { catalogue, Problem } from './problem.ts';
export type { Fault, ProblemCode } from './problem.ts';
export { OperatorError } from './operator-error.ts';
