import { compareText } from './compare-text.ts';
import { numberOrder } from './decimal.ts';
import { present } from './present.ts';
import type { AttributeValue } from './attribute.ts';

/** Whether two valid values are equal, regardless of the order of maps and sets. */
export function isEqual(left: AttributeValue, right: AttributeValue): boolean {
  if (left === right) return true;
  if (left.S !== undefined) return left.S === right.S;
  if (left.N !== undefined) return left.N === right.N; // both are canonical
  if (left.B !== undefined) return left.B === right.B;
  if (left.BOOL !== undefined) return left.BOOL === right.BOOL;
  if (left.NULL !== undefined) return left.NULL === right.NULL;
  if (left.M !== undefined) return right.M !== undefined && isSameMap(left.M, right.M);
  if (left.L !== undefined) return right.L !== undefined && isSameList(left.L, right.L);
  return (
    isSameSet(left.SS, right.SS) || isSameSet(left.NS, right.NS) || isSameSet(left.BS, right.BS)
  );
}

export function isSameMap(
  left: Readonly<Record<string, AttributeValue>>,
  right: Readonly<Record<string, AttributeValue>>,
): boolean {
  if (left === right) return true;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every(
      (name) => Object.hasOwn(right, name) && isEqual(present(left[name]), present(right[name])),
    )
  );
}

/**
 * Negative, 0 or positive for two numbers, texts or bytes; undefined for values of different types,
 * or of types without an order. Texts and bytes are ordered by their bytes.
 */
export function compareValues(left: AttributeValue, right: AttributeValue): number | undefined {
  if (left.S !== undefined) {
    return right.S === undefined ? undefined : compareText(left.S, right.S);
  }
  if (left.N !== undefined) {
    return right.N === undefined ? undefined : compareNumbers(left.N, right.N);
  }
  if (left.B === undefined || right.B === undefined) return undefined;
  return Buffer.from(left.B, 'base64').compare(Buffer.from(right.B, 'base64'));
}

function compareNumbers(left: string, right: string): number {
  if (left === right) return 0;
  return numberOrder(left) < numberOrder(right) ? -1 : 1;
}

function isSameList(left: readonly AttributeValue[], right: readonly AttributeValue[]): boolean {
  return (
    left.length === right.length &&
    left.every((element, index) => isEqual(element, present(right[index])))
  );
}

function isSameSet(left?: readonly string[], right?: readonly string[]): boolean {
  const members = new Set(right);
  return left?.length === right?.length && left?.every((member) => members.has(member)) === true;
}
