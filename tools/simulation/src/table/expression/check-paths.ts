import { invalid } from '../refusal.ts';
import type { Path } from './syntax.ts';

/**
 * No path of an expression is within another one, and none takes for a list what another takes for a map.
 * @throws Refusal
 */
export function checkPaths(field: string, paths: readonly Path[]): void {
  // Equal paths have equal beginnings: a map from each beginning is enough, but there are few paths.
  for (const [index, path] of paths.entries()) {
    for (const other of paths.slice(index + 1)) checkTwo(field, path, other);
  }
}

function checkTwo(field: string, one: Path, other: Path): void {
  const shared = Math.min(one.length, other.length);
  for (let depth = 0; depth < shared; depth++) {
    if (one[depth] === other[depth]) continue;
    if (typeof one[depth] === typeof other[depth]) return;
    throw refuse(field, 'conflict', one, other);
  }
  throw refuse(field, 'overlap', one, other);
}

function refuse(field: string, what: string, one: Path, other: Path) {
  return invalid(
    `Invalid ${field}: Two document paths ${what} with each other; must remove or rewrite one of these paths; path one: ${show(one)}, path two: ${show(other)}`,
  );
}

function show(path: Path): string {
  return `[${path.map((step) => (typeof step === 'number' ? `[${step}]` : step)).join(', ')}]`;
}
