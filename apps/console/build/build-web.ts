import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const project = resolve(import.meta.dirname, '..');
const workspace = resolve(project, '../..');

/** All files that the built web app depends on; the lock file stands for the dependencies. */
const sources = [
  'apps/console/{web,build}/**/*.{ts,tsx,css,html,svg,json}',
  'apps/console/src/event-stream.ts',
  'libs/client/src/**/*.ts',
  'package-lock.json',
];

export interface BuildOptions {
  /** Where the built files go; by default apps/console/dist. */
  folder?: string;
}

/**
 * Builds the web app where its sources have changed since the last build.
 * @returns whether it was built
 */
export async function buildWeb({
  folder = join(project, 'dist'),
}: BuildOptions = {}): Promise<boolean> {
  const stamp = join(folder, '.sources');
  const wanted = hashOfSources();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return false;
  const { build } = await import('vite');
  await build({
    configFile: false,
    root: join(project, 'web'),
    logLevel: 'warn',
    envDir: false,
    publicDir: false,
    // JSX is transformed by Vite: tsconfig.json names Preact as its source.
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: ['chrome111', 'firefox114', 'safari16.4'],
      // Small images as data URLs would need `data:` in the content security policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      sourcemap: false,
    },
  });
  mkdirSync(folder, { recursive: true });
  writeFileSync(stamp, wanted);
  return true;
}

function hashOfSources(): string {
  const hash = createHash('sha256');
  for (const file of globSync(sources, { cwd: workspace }).sort()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(workspace, file)))
      .update('\0');
  }
  return hash.digest('hex');
}
