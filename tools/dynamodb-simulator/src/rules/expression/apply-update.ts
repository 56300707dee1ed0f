import { addNumbers, NumberError } from '../decimal.ts';
import { invalid } from '../exceptions.ts';
import { ItemDraft } from './item-draft.ts';
import { valueAt } from './value-at.ts';
import { present } from '../present.ts';
import type { AttributeValue, Item } from '../attribute.ts';
import type { ResolvedUpdate } from './resolve-update.ts';
import type { AssignedValue, Literal, Path } from './syntax.ts';

const setTypes = ['SS', 'NS', 'BS'] as const;

/**
 * Applies an update to an item. All operands are read from the item before the update.
 * @throws Refusal if an operand is missing or has the wrong type
 */
export function applyUpdate(update: ResolvedUpdate, item: Item): Item {
  const changes = [
    ...update.set.map(({ path, value }) => ({ path, value: assignedValue(value, item) })),
    ...update.add.map(({ path, value }) => ({
      path,
      value: added(valueAt(item, path), value.value),
    })),
    ...update.delete.map(({ path, value }) => ({
      path,
      value: without(valueAt(item, path), value.value),
    })),
  ];
  const draft = new ItemDraft(item);
  const removed = [
    ...update.remove,
    ...changes.filter(({ value }) => value === undefined).map(({ path }) => path),
  ];
  // Removals precede assignments, which may extend lists.
  for (const path of removed) if (!draft.remove(path)) throw wrongPath();
  for (const { path, value } of changes.toSorted(byPosition)) {
    if (value !== undefined && !draft.set(path, value)) throw wrongPath();
  }
  return draft.finish();
}

function assignedValue(value: AssignedValue<Literal>, item: Item): AttributeValue {
  switch (value.kind) {
    case 'literal':
      return value.value;
    case 'path': {
      const found = valueAt(item, value.path);
      if (found !== undefined) return found;
      throw invalid(
        'The provided expression refers to an attribute that does not exist in the item',
      );
    }
    case 'if_not_exists':
      return valueAt(item, value.path) ?? assignedValue(value.otherwise, item);
    case 'list_append': {
      const left = assignedValue(value.left, item);
      const right = assignedValue(value.right, item);
      if (left.L === undefined || right.L === undefined) throw wrongType();
      return { L: [...left.L, ...right.L] };
    }
    case 'sum':
      return sum(assignedValue(value.left, item), assignedValue(value.right, item), value.sign);
  }
}

function added(before: AttributeValue | undefined, value: AttributeValue): AttributeValue {
  if (before === undefined) return value;
  if (value.N !== undefined) return sum(before, value, 1);
  const { type, members, changed } = setsOf(before, value);
  return { [type]: [...new Set([...members, ...changed])] };
}

/** Undefined if no members remain, since empty sets do not exist. */
function without(
  before: AttributeValue | undefined,
  value: AttributeValue,
): AttributeValue | undefined {
  if (before === undefined) return undefined;
  const { type, members, changed } = setsOf(before, value);
  const left = members.filter((member) => !changed.includes(member));
  return left.length === 0 ? undefined : { [type]: left };
}

function setsOf(before: AttributeValue, value: AttributeValue) {
  const type = setTypes.find((one) => value[one] !== undefined) ?? 'SS';
  const [members, changed] = [before[type], value[type]];
  if (members === undefined || changed === undefined) throw wrongType();
  return { type, members, changed };
}

function sum(left: AttributeValue, right: AttributeValue, sign: 1 | -1): AttributeValue {
  if (left.N === undefined || right.N === undefined) throw wrongType();
  try {
    return { N: addNumbers(left.N, right.N, sign) };
  } catch (error) {
    throw error instanceof NumberError ? invalid(error.message) : error;
  }
}

/** Orders paths by list position, so that elements beyond the end of a list are appended in this order. */
function byPosition({ path: left }: { path: Path }, { path: right }: { path: Path }): number {
  for (let depth = 0; depth < Math.min(left.length, right.length); depth++) {
    const [one, other] = [present(left[depth]), present(right[depth])];
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}

function wrongType() {
  return invalid('An operand in the update expression has an incorrect data type');
}

function wrongPath() {
  return invalid('The document path provided in the update expression is invalid for update');
}
