export { problemTypes, Problem } from './problem.ts';
export type { FieldError, ProblemCode } from './problem.ts';
export { OperatorError } from './operator-error.ts';
