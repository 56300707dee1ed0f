import { attributeOf } from '../attribute.ts';
import { present } from '../present.ts';
import type { AttributeValue, Item } from '../attribute.ts';
import type { Path, PathElement } from './syntax.ts';

/** A mutable copy of a map or list. */
type OwnMap = Map<string, OwnValue>;
type OwnList = (OwnValue | undefined)[];
type OwnContainer = { map: OwnMap } | { list: OwnList };
type OwnValue = AttributeValue | OwnContainer;

/**
 * An item during an update: maps and lists that contain a change are copied once, all others are shared. A removed
 * element leaves a gap until the end of the update, so that list positions do not shift.
 */
export class ItemDraft {
  readonly #attributes: OwnMap;

  constructor(item: Item) {
    this.#attributes = ownMap(item);
  }

  /** @returns false if the last map or list of the path is missing */
  set(path: Path, value: AttributeValue): boolean {
    const container = this.#containerOf(path);
    const last = present(path.at(-1));
    if (container instanceof Map) {
      if (typeof last !== 'string') return false;
      container.set(last, value);
      return true;
    }
    if (container === undefined || typeof last !== 'number') return false;
    // A position beyond the end appends the element (developer guide, "Update expressions").
    if (last < container.length) container[last] = value;
    else container.push(value);
    return true;
  }

  /** @returns false if the last map or list of the path is missing */
  remove(path: Path): boolean {
    const container = this.#containerOf(path);
    const last = present(path.at(-1));
    if (container instanceof Map) {
      if (typeof last === 'string') container.delete(last);
      return typeof last === 'string';
    }
    if (container === undefined || typeof last !== 'number') return false;
    if (last < container.length) container[last] = undefined;
    return true;
  }

  finish(): Item {
    return finishMap(this.#attributes);
  }

  #containerOf(path: Path): OwnMap | OwnList | undefined {
    let container: OwnMap | OwnList | undefined = this.#attributes;
    for (const step of path.slice(0, -1)) {
      if (container === undefined) return undefined;
      container = own(container, step);
    }
    return container;
  }
}

/** Replaces the container at a step by a mutable copy, and returns the copy. */
function own(container: OwnMap | OwnList, step: PathElement) {
  const isMap = container instanceof Map;
  if (isMap !== (typeof step === 'string')) return undefined;
  const value = isMap ? container.get(step as string) : container[step as number];
  if (value === undefined) return undefined;
  if ('map' in value) return value.map;
  if ('list' in value) return value.list;
  const copy = ownCopy(value);
  if (copy === undefined) return undefined;
  if (isMap) container.set(step as string, copy);
  else container[step as number] = copy;
  return 'map' in copy ? copy.map : copy.list;
}

function ownCopy({ M, L }: AttributeValue): OwnContainer | undefined {
  if (M !== undefined) return { map: ownMap(M) };
  return L && { list: [...L] };
}

function ownMap(map: Item): OwnMap {
  return new Map(Object.keys(map).map((name) => [name, present(attributeOf(map, name))] as const));
}

function finishMap(map: OwnMap): Item {
  return Object.fromEntries([...map].map(([name, value]) => [name, finishValue(value)]));
}

function finishValue(value: OwnValue): AttributeValue {
  if ('map' in value) return { M: finishMap(value.map) };
  if (!('list' in value)) return value;
  return { L: value.list.filter((element) => element !== undefined).map(finishValue) };
}
