import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { join, resolve } from 'node:path';
import { replaceText } from './replace-text.ts';
import type { KnownDefect } from './known-defect.ts';

const workspace = resolve(import.meta.dirname, '../../../..');

/** A defect in all that is loaded from now on. */
export interface UndoneFix {
  /** Call it once everything is loaded. @throws Error naming files of the defect that were not loaded since */
  checkLoaded(): void;
}

/**
 * Brings a defect back in the sources that are loaded from now on, and leaves the files as they
 * are. Node gives a `load` hook the source of a TypeScript file as it is written (format
 * `module-typescript`), and strips the types of what the hook returns. The import of a file throws
 * where a text is not in it exactly once. Call it before anything imports a package of the
 * workspace: what is loaded already stays as it is, which `checkLoaded` tells.
 * @param folder in which the files of the replacements are
 */
export function undoFix(
  { name, replacements }: Pick<KnownDefect, 'name' | 'replacements'>,
  folder = workspace,
): UndoneFix {
  const urlOf = (file: string) => pathToFileURL(join(folder, file)).href;
  const byUrl = Map.groupBy(replacements, ({ file }) => urlOf(file));
  const missing = new Set(replacements.map(({ file }) => file));
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const own = byUrl.get(url);
      if (own === undefined) return loaded;
      for (const { file } of own) missing.delete(file);
      return { ...loaded, source: replaceText(textOf(loaded.source), own) };
    },
  });
  return {
    checkLoaded() {
      if (missing.size === 0) return;
      const files = [...missing].join(', ');
      throw new Error(`the defect ${name} is not there: not loaded since it was undone: ${files}`);
    },
  };
}

function textOf(source: string | ArrayBuffer | NodeJS.TypedArray | undefined): string {
  if (typeof source === 'string') return source;
  return new TextDecoder().decode(source);
}
