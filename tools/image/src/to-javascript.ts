import { stripTypeScriptTypes } from 'node:module';

/** `from './x.ts'`, `import './x.ts'` and `import('./x.ts')`. */
const imported = /(\bfrom\s*|\bimport\s*\(?\s*)(['"])(\.\.?\/[^'"\n]+)\.ts\2/g;

/** Any text that names a source beside this one. */
const named = /(['"`])(\.\.?\/[^'"`\n]+\.ts)\1/;

/**
 * A source as plain JavaScript: what Node itself does with it in development (types become spaces,
 * so that every line and column stays where it was, and no source map is needed), and imports by
 * the names that the files have then.
 * @throws Error where it names a source in another way, which nobody would find
 */
export function toJavaScript(source: string): string {
  const stripped = stripTypeScriptTypes(source)
    .replace(imported, '$1$2$3.js$2')
    // The remaining white space of a line that had only types.
    .replace(/[ \t]+$/gm, '');
  const left = named.exec(stripped)?.[2];
  if (left !== undefined) {
    throw new Error(`it names ${left} other than in an import, and there will be no such file`);
  }
  return stripped;
}
