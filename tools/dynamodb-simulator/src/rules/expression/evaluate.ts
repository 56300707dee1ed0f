import { typeOf } from '../attribute.ts';
import { compareValues, isEqual } from '../compare.ts';
import { binaryBytes } from '../item-size.ts';
import { valueAt } from './value-at.ts';
import type { AttributeValue, Item } from '../attribute.ts';
import type { ResolvedCondition } from './resolve-condition.ts';
import type { Comparator, FunctionName, Literal, Operand } from './syntax.ts';

type Value = AttributeValue | undefined;

/** Whether an item satisfies the condition. @param item undefined if it does not exist */
export function holds(condition: ResolvedCondition, item: Item | undefined): boolean {
  switch (condition.kind) {
    case 'and':
      return holds(condition.left, item) && holds(condition.right, item);
    case 'or':
      return holds(condition.left, item) || holds(condition.right, item);
    case 'not':
      return !holds(condition.condition, item);
    case 'compare':
      return compares(
        condition.comparator,
        valueOf(condition.left, item),
        valueOf(condition.right, item),
      );
    case 'between': {
      const value = valueOf(condition.operand, item);
      return (
        compares('>=', value, valueOf(condition.low, item)) &&
        compares('<=', value, valueOf(condition.high, item))
      );
    }
    case 'in': {
      const value = valueOf(condition.operand, item);
      return condition.list.some((one) => compares('=', value, valueOf(one, item)));
    }
    case 'function':
      return callFunction(
        condition.name,
        condition.operands.map((operand) => valueOf(operand, item)),
      );
  }
}

/** A missing value is neither equal to, nor less or greater than, any value. */
function compares(comparator: Comparator, left: Value, right: Value): boolean {
  if (left === undefined || right === undefined) return comparator === '<>';
  if (comparator === '=') return isEqual(left, right);
  if (comparator === '<>') return !isEqual(left, right);
  const order = compareValues(left, right);
  if (order === undefined) return false;
  switch (comparator) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

function valueOf(operand: Operand<Literal>, item: Item | undefined): Value {
  switch (operand.kind) {
    case 'literal':
      return operand.value;
    case 'path':
      return valueAt(item, operand.path);
    case 'size': {
      const size = sizeOf(valueOf(operand.of, item));
      return size === undefined ? undefined : { N: String(size) };
    }
  }
}

/** Length of a text, of bytes, or of a collection (developer guide, "Condition and filter expressions": size). */
function sizeOf(value: Value): number | undefined {
  if (value === undefined) return undefined;
  if (value.B !== undefined) return binaryBytes(value.B);
  if (value.M !== undefined) return Object.keys(value.M).length;
  return (value.S ?? value.L ?? value.SS ?? value.NS ?? value.BS)?.length;
}

function callFunction(name: FunctionName, [first, second]: readonly Value[]): boolean {
  switch (name) {
    case 'attribute_exists':
      return first !== undefined;
    case 'attribute_not_exists':
      return first === undefined;
    case 'attribute_type':
      return first !== undefined && typeOf(first) === second?.S;
    case 'begins_with':
      return first !== undefined && second !== undefined && beginsWith(first, second);
    case 'contains':
      return first !== undefined && second !== undefined && contains(first, second);
  }
}

function beginsWith(value: AttributeValue, prefix: AttributeValue): boolean {
  if (value.S !== undefined) return prefix.S !== undefined && value.S.startsWith(prefix.S);
  if (value.B === undefined || prefix.B === undefined) return false;
  return binaryText(value.B).startsWith(binaryText(prefix.B));
}

function contains(value: AttributeValue, member: AttributeValue): boolean {
  if (value.L !== undefined) return value.L.some((element) => isEqual(element, member));
  if (value.S !== undefined) return member.S !== undefined && value.S.includes(member.S);
  if (value.B !== undefined) {
    return member.B !== undefined && binaryText(value.B).includes(binaryText(member.B));
  }
  if (value.SS !== undefined) return member.S !== undefined && value.SS.includes(member.S);
  if (value.NS !== undefined) return member.N !== undefined && value.NS.includes(member.N);
  return value.BS !== undefined && member.B !== undefined && value.BS.includes(member.B);
}

/** A text with one character per byte, which sorts like the bytes. */
export function binaryText(base64: string): string {
  return Buffer.from(base64, 'base64').toString('latin1');
}
