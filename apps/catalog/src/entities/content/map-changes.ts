import { exactSum } from '../../values/exact-sum.ts';
import { checkJson, checkName, isMap, isNumber, maxDepth } from '../../values/check-value.ts';
import { parsePointer } from '../../values/json-pointer.ts';
import { ValueError } from '../../values/value-error.ts';
import type { AttributeDefinition, AttributeValue, ExactNumber, JsonValue } from '@engawa/model';

/** The change of one value inside a map. */
type InsideChange =
  | { kind: 'set'; value: JsonValue }
  | { kind: 'remove' }
  | { kind: 'add'; by: ExactNumber }
  | { kind: 'append'; values: readonly JsonValue[] };

/** Changes of values inside a map, each by its path; other values stay. */
export class MapChange {
  readonly changes: readonly { path: readonly string[]; change: InsideChange }[];

  constructor(changes: MapChange['changes']) {
    this.changes = changes;
  }
}

/** The changes of one request in one map. */
const maxChanges = 100;

/** @param attribute undefined: not declared by the type. @throws ValueError */
export function checkMapChange(
  attribute: AttributeDefinition | undefined,
  given: unknown,
): MapChange {
  if (attribute !== undefined && attribute.kind !== 'map') throw new ValueError('must be a map');
  const entries = isMap(given) ? Object.entries(given) : [];
  if (entries.length === 0 || entries.length > maxChanges) {
    throw new ValueError(`must be an object with 1 to ${maxChanges} changes by JSON Pointer`);
  }
  const changes = entries.map(([pointer, change]) => ({
    path: checkPath(pointer),
    change: checkInsideChange(pointer, change),
  }));
  for (const { path } of changes) refuseOverlap(path, changes);
  return new MapChange(changes);
}

/** The names of the path. @throws ValueError */
export function checkPath(pointer: string): readonly string[] {
  const path = parsePointer(pointer);
  if (path.length > maxDepth) throw new ValueError(`has more than ${maxDepth} nested maps`);
  for (const name of path) checkName(name, `has at ${JSON.stringify(pointer)} a name that`);
  return path;
}

/** The map after the changes; missing maps on the way are created. @throws ValueError */
export function changedInside(
  current: AttributeValue | undefined,
  { changes }: MapChange,
): JsonValue {
  let map: JsonValue = asMap(current ?? {}, []);
  for (const { path, change } of changes) map = changedAt(map, path, change, []);
  // The nesting of the whole map.
  return checkJson(map);
}

/** The value at a path inside a map; undefined where there is none. */
export function valueInside(
  current: AttributeValue | undefined,
  path: readonly string[],
): JsonValue | undefined {
  let value: unknown = current;
  for (const name of path) {
    if (!isMap(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value as JsonValue | undefined;
}

function checkInsideChange(pointer: string, given: unknown): InsideChange {
  if (given === null) return { kind: 'remove' };
  const [[kind, value] = [], ...others] = isMap(given) ? Object.entries(given) : [];
  if (others.length === 0 && kind === 'set') return { kind, value: checkJson(value) };
  if (others.length === 0 && kind === 'add' && isNumber(value)) return { kind, by: value };
  if (others.length === 0 && kind === 'append' && Array.isArray(value)) {
    return { kind, values: value.map((one) => checkJson(one)) };
  }
  throw new ValueError(
    `must have at ${JSON.stringify(pointer)} null, {"set": value}, {"add": number} or {"append": [values]}`,
  );
}

/** Two changes of one value, or of a value and of its part, have no order. */
function refuseOverlap(path: readonly string[], changes: MapChange['changes']): void {
  const inside = changes.filter((other) => path.every((name, index) => other.path[index] === name));
  if (inside.length > 1) throw new ValueError('must not change a value and a part of it');
}

function changedAt(
  current: JsonValue,
  [name = '', ...rest]: readonly string[],
  change: InsideChange,
  above: readonly string[],
): JsonValue {
  const entries = new Map(Object.entries(asMap(current, above)));
  const before = entries.get(name);
  const here = [...above, name];
  if (rest.length === 0) {
    const after = changedValueAt(before, change, here);
    if (after === undefined) entries.delete(name);
    else entries.set(name, after);
  } else if (before !== undefined || change.kind !== 'remove') {
    entries.set(name, changedAt(before ?? {}, rest, change, here));
  }
  return Object.fromEntries(entries);
}

function changedValueAt(
  before: JsonValue | undefined,
  change: InsideChange,
  path: readonly string[],
): JsonValue | undefined {
  switch (change.kind) {
    case 'remove':
      return undefined;
    case 'set':
      return change.value;
    case 'add':
      if (before === undefined || isNumber(before)) return exactSum(before ?? 0, change.by);
      throw new ValueError(`has at ${shown(path)} a value that is not a number`);
    case 'append':
      if (before === undefined || Array.isArray(before))
        return [...(before ?? []), ...change.values];
      throw new ValueError(`has at ${shown(path)} a value that is not a list`);
  }
}

function asMap(value: unknown, path: readonly string[]): Record<string, JsonValue> {
  if (isMap(value)) return value as Record<string, JsonValue>;
  throw new ValueError(path.length === 0 ? 'is not a map' : `has at ${shown(path)} no map`);
}

function shown(path: readonly string[]): string {
  return JSON.stringify(path.map((name) => `/${name}`).join(''));
}
