import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild-wasm';
import { unbundledPackages } from './unbundled-packages.ts';
import type { Plugin } from 'esbuild-wasm';

/** Programs of the image by their name in it. A worker thread's program is beside the chunk that starts it. */
const entryPoints = {
  entrypoint: 'tools/image/src/entrypoint.ts',
  'compile-ahead': 'tools/image/src/compile-ahead.ts',
  'chunks/text-worker': 'apps/catalog/src/full-text/sqlite/text-worker.ts',
};

/** CommonJS packages load Node's modules with `require`, which an ES module does not have. */
const requireBanner = `import { createRequire as createModuleRequire } from 'node:module';
const require = createModuleRequire(import.meta.url);`;

export interface BundleOptions {
  /** Folder of the repository, with installed packages. */
  workspace: string;
  /** Folder that gets the JavaScript. */
  target: string;
}

/**
 * Bundles all programs of the image with their packages. Code that several programs use is in shared chunks, and code
 * behind a dynamic import is in a chunk of its own, which is loaded when needed. Names of functions are kept.
 * @throws Error where a source cannot be bundled
 */
export async function bundle({ workspace, target }: BundleOptions): Promise<void> {
  const { outputFiles } = await build({
    absWorkingDir: workspace,
    entryPoints,
    outdir: target,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // ES modules where a package has them: unused exports are omitted.
    mainFields: ['module', 'main'],
    chunkNames: 'chunks/[name]-[hash]',
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    sourcemap: 'linked',
    sourcesContent: false,
    external: unbundledPackages,
    banner: { js: requireBanner },
    plugins: [withoutUnusedData(workspace)],
    logLevel: 'error',
    write: false,
  });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, path.endsWith('.map') ? withPathsFrom(workspace, path, text) : text);
  }
}

/** A source map with paths from the folder of the repository: the bundle moves from where it is made. */
function withPathsFrom(workspace: string, path: string, text: string): string {
  const map = JSON.parse(text) as { sources: string[] };
  const sources = map.sources.map((source) => relative(workspace, resolve(dirname(path), source)));
  return JSON.stringify({ ...map, sources });
}

/**
 * Data of packages that no service uses: zod's error messages in other languages than English, and iconv-lite's tables
 * for East Asian encodings, which are loaded for request bodies in these encodings; the APIs accept JSON in Unicode.
 */
function withoutUnusedData(workspace: string): Plugin {
  const english = readFileSync(join(workspace, 'node_modules/zod/v4/locales/index.js'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('"./en.js"'))
    .join('\n');
  return {
    name: 'without-unused-data',
    setup(builder) {
      builder.onLoad({ filter: /\/zod\/v4\/locales\/index\.js$/ }, () => ({ contents: english }));
      builder.onLoad({ filter: /\/iconv-lite\/encodings\/dbcs-data\.js$/ }, () => ({
        contents: 'module.exports = {};',
      }));
    },
  };
}
