/** By file, the files that it imports. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/**
 * The circles of imports. Each import that is part of a circle is in at least one of them.
 * @returns the files of each circle, of which each imports the next one; the last one is the first one
 */
export function findCircles(imports: Imports): string[][] {
  const found = new Set<string>();
  const circles: string[][] = [];
  for (const [file, targets] of imports) {
    for (const target of targets) {
      if (found.has(edge(file, target))) continue;
      const path = shortestPath(target, file, imports);
      if (path === undefined) continue;
      path.forEach((one, at) => found.add(edge(one, path[at + 1] ?? target)));
      circles.push([file, ...path]);
    }
  }
  return circles;
}

function edge(file: string, target: string): string {
  return `${file} ${target}`;
}

/** The files of a shortest path, with both ends. */
function shortestPath(from: string, to: string, imports: Imports): string[] | undefined {
  const importers = new Map<string, string | undefined>([[from, undefined]]);
  // A Map also iterates over the entries that are added meanwhile: the nearest files come first.
  for (const file of importers.keys()) {
    if (file === to) break;
    for (const target of imports.get(file) ?? []) {
      if (!importers.has(target)) importers.set(target, file);
    }
  }
  if (!importers.has(to)) return undefined;
  const path: string[] = [];
  for (let file: string | undefined = to; file !== undefined; file = importers.get(file)) {
    path.unshift(file);
  }
  return path;
}
