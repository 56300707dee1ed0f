import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import type { Imports } from './find-circles.ts';

/**
 * The relative imports among the TypeScript files of all packages. Lint refuses a package that imports itself by its
 * name, and circles of packages (`@nx/enforce-module-boundaries`).
 */
export function readImports(root: string): Imports {
  const files = globSync('{apps,libs,tools}/*/**/*.{ts,tsx}', {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist|\.[^/]+)$/.test(path),
  });
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const targets = importedBy(file, readFileSync(join(root, file), 'utf8'));
      return [file, targets.filter((target) => known.has(target))];
    }),
  );
}

/** The paths of the relative imports of a file: also of types, and of modules that are loaded later. */
export function importedBy(file: string, content: string): string[] {
  return ts
    .preProcessFile(content)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => join(dirname(file), fileName));
}
