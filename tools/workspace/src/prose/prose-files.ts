import { globSync } from 'node:fs';

const PATTERNS = [
  '*.md',
  'Dockerfile',
  '.github/**/*.md',
  'bench/peers/**/*.{ts,yaml}',
  'docs/**/*.md',
  'examples/**/*.{md,ts}',
  '{apps,libs,tools}/*/*.md',
  '{apps,libs,tools}/*/{src,test,web,build}/**/*.{ts,tsx,md}',
  'charts/**/*.{md,yaml,tpl}',
];

/**
 * The files with prose in a checkout, relative to it and sorted. Not among them: generated code, whose texts are checked
 * at their source, and the list of avoided phrases.
 */
export function proseFiles(root: string): readonly string[] {
  return globSync(PATTERNS, {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|generated|prose|prose\.test\.ts)$/.test(path),
  }).sort();
}
