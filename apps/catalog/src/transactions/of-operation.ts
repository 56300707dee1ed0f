import { inField } from '../entities/content/in-field.ts';

/** Moves the paths of an error from one operation (from 0) to the body of the transaction. */
export function ofOperation(index: number, error: unknown): unknown {
  return inField(`body.operations[${index}]`, error);
}
