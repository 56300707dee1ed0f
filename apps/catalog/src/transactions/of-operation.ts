import { inField } from '../entities/content/in-field.ts';

/** What is wrong with one operation (from 0), said of the body that has all of them. */
export function ofOperation(index: number, error: unknown): unknown {
  return inField(`body.operations[${index}]`, error);
}
