import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { join, resolve } from 'node:path';
import { replaceText } from './replace-text.ts';
import type { KnownDefect } from './known-defect.ts';

const workspace = resolve(import.meta.dirname, '../../../..');

/** A reintroduced defect. */
export interface UndoneFix {
  /** Call it after all modules are loaded. @throws Error naming files of the defect that were not loaded */
  checkLoaded(): void;
}

/**
 * Reintroduces a defect in modules that are imported after this call, without changing files. Node
 * passes the unmodified source of a TypeScript file to a `load` hook (format `module-typescript`),
 * and strips the types from the hook's result. The import of a file throws unless each replaced
 * text occurs in it exactly once. Call it before any import of a workspace package: modules that
 * are already loaded do not change, which `checkLoaded` detects.
 * @param folder base folder of the replacements' files
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
      throw new Error(
        `the defect ${name} is not active: its files were not loaded after the undo: ${files}`,
      );
    },
  };
}

function textOf(source: string | ArrayBuffer | NodeJS.TypedArray | undefined): string {
  if (typeof source === 'string') return source;
  return new TextDecoder().decode(source);
}
