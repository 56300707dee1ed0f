import { attributeOf } from '../attribute.ts';
import { present } from '../present.ts';
import type { AttributeValue, Item } from '../attribute.ts';
import type { Path } from './syntax.ts';

/** The value at a path of an item; undefined if the path does not exist. */
export function valueAt(item: Item | undefined, path: Path): AttributeValue | undefined {
  let value = attributeOf(item, path[0] as string);
  for (let depth = 1; depth < path.length && value !== undefined; depth++) {
    const step = present(path[depth]);
    value = typeof step === 'number' ? value.L?.[step] : attributeOf(value.M, step);
  }
  return value;
}
