import { invalid } from '../exceptions.ts';
import type { Path } from './syntax.ts';

/**
 * Checks that no path of an expression contains another, and no value is used both as a list and as a map.
 * @throws Refusal
 */
export function checkPaths(field: string, paths: readonly Path[]): void {
  // Quadratic, which is fine for the few paths of an expression.
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
