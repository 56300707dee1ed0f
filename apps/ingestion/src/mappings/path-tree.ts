import { isContainer } from './containers.ts';
import { FieldSet } from './field-set.ts';
import { wildcard } from './payload-path.ts';
import type { StepCount } from './mapping-limits.ts';
import type { PathName, PayloadPath } from './payload-path.ts';

/** A name in a tree of paths. */
class PathNode {
  /** Whether a path ends here. */
  isEnd = false;
  readonly named = new Map<string, PathNode>();
  /** Below a wildcard. */
  any: PathNode | undefined;

  add(names: readonly PathName[]): void {
    const [name, ...rest] = names;
    if (name === undefined) this.isEnd = true;
    else this.#child(name).add(rest);
  }

  #child(name: PathName): PathNode {
    if (name === wildcard) return (this.any ??= new PathNode());
    const child = this.named.get(name) ?? new PathNode();
    this.named.set(name, child);
    return child;
  }
}

/** Paths of values that do not keep their names, as a tree: each name of a payload is looked up once. */
export class PathTree {
  readonly #root = new PathNode();

  constructor(paths: readonly PayloadPath[]) {
    for (const { names } of paths) this.#root.add(names);
  }

  /** The values of an object that are at none of the paths. */
  othersIn(value: Readonly<Record<string, unknown>>, count: StepCount): FieldSet {
    const others = new FieldSet();
    const { isEnd, named, any } = this.#root;
    if (isEnd) return others;
    const names = Object.keys(value);
    count.add(names.length);
    for (const name of names) {
      const node = named.get(name);
      if (node?.isEnd === true || any?.isEnd === true) continue;
      const inner = value[name];
      const isWhole = node === undefined && any === undefined;
      const kept = isWhole ? inner : without(inner, below([this.#root], name), count);
      if (kept !== undefined) others.addUnique(name, kept);
    }
    return others;
  }
}

/** The value without those at the paths; undefined if nothing remains. */
function without(value: unknown, nodes: readonly PathNode[], count: StepCount): unknown {
  if (nodes.length === 0) return value;
  if (nodes.some(({ isEnd }) => isEnd)) return undefined;
  if (!isContainer(value)) return value;
  const rest: [string, unknown][] = [];
  let isWhole = true;
  for (const name of Object.keys(value)) {
    count.add(nodes.length);
    const inner = value[name];
    const kept = without(inner, below(nodes, name), count);
    if (kept !== inner) isWhole = false;
    if (kept !== undefined) rest.push([name, kept]);
  }
  // An object without any rest is not an empty object of the payload, which is stored as null.
  if (isWhole) return value;
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

function below(nodes: readonly PathNode[], name: string): PathNode[] {
  const found: PathNode[] = [];
  for (const { named, any } of nodes) {
    const node = named.get(name);
    if (node !== undefined) found.push(node);
    if (any !== undefined) found.push(any);
  }
  return found;
}
