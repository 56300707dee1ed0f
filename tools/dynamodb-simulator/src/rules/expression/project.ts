import { attributeOf } from '../attribute.ts';
import { valueAt } from './value-at.ts';
import { present } from '../present.ts';
import type { AttributeValue, Item } from '../attribute.ts';
import type { Path } from './syntax.ts';

/**
 * The values at these paths, within their maps and lists. A projected list contains only the selected
 * elements, in their order.
 */
export function project(item: Item, paths: readonly Path[]): Item {
  const chosen = paths.filter((path) => valueAt(item, path) !== undefined);
  const entries: [string, AttributeValue][] = [];
  for (const [name, rests] of byFirstStep(chosen)) {
    const value = attributeOf(item, name as string);
    if (value !== undefined) entries.push([name as string, choose(value, rests)]);
  }
  return Object.fromEntries(entries);
}

/** @param paths within the value; an empty path selects the whole value */
function choose(value: AttributeValue, paths: readonly Path[]): AttributeValue {
  if (paths.some((path) => path.length === 0)) return value;
  if (value.M !== undefined) return { M: project(value.M, paths) };
  const { L = [] } = value;
  const positions = [...byFirstStep(paths)].toSorted(([a], [b]) => Number(a) - Number(b));
  return {
    L: positions.map(([index, rests]) => choose(present(L[index as number]), rests)),
  };
}

function byFirstStep(paths: readonly Path[]): Map<string | number, Path[]> {
  const groups = new Map<string | number, Path[]>();
  for (const [first, ...rest] of paths) {
    if (first === undefined) continue;
    const group = groups.get(first);
    if (group === undefined) groups.set(first, [rest]);
    else group.push(rest);
  }
  return groups;
}
