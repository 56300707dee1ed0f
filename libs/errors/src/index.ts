export { invariant, InvariantError } from './invariant.ts';
export { Problem } from './problem.ts';
export type { FieldError } from './problem.ts';
export { problemTypes } from './problem-types.ts';
export type { ProblemCode } from './problem-types.ts';
export { OperatorError } from './operator-error.ts';
