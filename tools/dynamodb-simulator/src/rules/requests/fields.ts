import { invalid, unreadable } from '../exceptions.ts';
import { isObject } from '../normalize.ts';
import type { Document } from '../exceptions.ts';

/** A string field with one of these values. @throws Refusal */
export function choiceOf<Choice extends string>(
  input: Document,
  field: string,
  choices: readonly Choice[],
  absent: Choice,
): Choice {
  const value = input[field];
  if (value == null) return absent;
  if (typeof value !== 'string') throw unreadable(`${field} must be a string`);
  const choice = choices.find((one) => one === value);
  if (choice !== undefined) return choice;
  throw invalid(
    `1 validation error detected: Value '${value}' at '${field}' failed to satisfy constraint: Member must satisfy enum value set: [${choices.join(', ')}]`,
  );
}

export function booleanOf(input: Document, field: string, absent: boolean): boolean {
  const value = input[field];
  if (value == null) return absent;
  if (typeof value !== 'boolean') throw unreadable(`${field} must be true or false`);
  return value;
}

export function textOf(input: Document, field: string): string | undefined {
  const value = input[field];
  if (value == null) return undefined;
  if (typeof value !== 'string') throw unreadable(`${field} must be a string`);
  return value;
}

/** A field with a whole number of at least 1. */
export function countOf(input: Document, field: string): number | undefined {
  const value = input[field];
  if (value == null) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    throw unreadable(`${field} must be a whole number`);
  }
  if (value >= 1) return value;
  throw invalid(`${field} must be greater than or equal to 1`);
}

export function objectOf(input: Document, field: string): Document {
  const value = input[field];
  if (isObject(value)) return value;
  throw invalid(`Value null at '${field}' failed to satisfy constraint: Member must not be null`);
}

/** @param max maximum number of elements */
export function listOf(input: Document, field: string, max: number): Document[] {
  const value = input[field];
  if (!Array.isArray(value) || value.length === 0) {
    throw invalid(
      `Value at '${field}' failed to satisfy constraint: Member must have length greater than or equal to 1`,
    );
  }
  if (value.length > max) {
    throw invalid(
      `Value at '${field}' failed to satisfy constraint: Member must have length less than or equal to ${max}`,
    );
  }
  if (value.every(isObject)) return value;
  throw unreadable(`${field} must be a list of objects`);
}

/** The detail of consumed units in the response. */
export function capacityDetail(input: Document): string {
  return choiceOf(input, 'ReturnConsumedCapacity', ['NONE', 'TOTAL', 'INDEXES'], 'NONE');
}
