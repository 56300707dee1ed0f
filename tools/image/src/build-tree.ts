import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { productionLock } from './production-lock.ts';
import { toJavaScript } from './to-javascript.ts';
import { projectsOf, readManifest } from './workspace-projects.ts';
import type { Lock } from './production-lock.ts';
import type { Manifest } from './workspace-projects.ts';

export interface BuildTreeOptions {
  /** Folder of the repository. */
  workspace: string;
  /** Folder that gets the tree: `apps` and `libs` as in the repository, the entry point above them. */
  target: string;
}

/** What runs in the image and is not of the services: what starts them, and what compiles them once ahead. */
const ownSources = ['entrypoint.ts', 'compile-ahead.ts'];

/**
 * Writes the services and the libraries that they use as JavaScript. No tests, and nothing that only development needs.
 * @returns how many sources it translated
 * @throws Error that names the source that cannot be translated
 */
export function buildSources({ workspace, target }: BuildTreeOptions): number {
  const translate = (from: string, to: string): void => {
    try {
      write(target, to, toJavaScript(readFileSync(join(workspace, from), 'utf8')));
    } catch (error) {
      throw new Error(`${from} cannot be built: ${(error as Error).message}`, { cause: error });
    }
  };
  for (const file of ownSources) translate(join('tools/image/src', file), toJs(file));
  let count = ownSources.length;
  for (const { folder } of projectsOf(workspace, '@engawa/image')) {
    for (const file of filesOf(workspace, folder)) {
      if (file.endsWith('.ts')) {
        translate(file, toJs(file));
        count += 1;
      } else write(target, file, readFileSync(join(workspace, file)));
    }
  }
  return count;
}

/**
 * Writes a package.json for each of them, without what only development needs and leading to
 * JavaScript, and the lock file that goes with them: what `npm ci` installs from.
 * @throws Error where an export leads nowhere
 */
export function buildManifests({ workspace, target }: BuildTreeOptions): void {
  const projects = projectsOf(workspace, '@engawa/image');
  const names = projects.map(({ manifest }) => manifest.name);
  const workspaces = projects.map(({ folder }) => folder);
  const root = { ...readManifest(workspace, '.'), workspaces };
  write(target, 'package.json', toJson(root));
  for (const { folder, manifest } of projects) {
    const files = new Set(filesOf(workspace, folder));
    const moved = (path: string): string => {
      if (files.has(join(folder, path))) return toJs(path);
      throw new Error(`${manifest.name} exports ${path}, which is not there`);
    };
    write(target, join(folder, 'package.json'), toJson(withExports(manifest, moved)));
  }
  const lock = JSON.parse(readFileSync(join(workspace, 'package-lock.json'), 'utf8')) as Lock;
  write(
    target,
    'package-lock.json',
    `${JSON.stringify(productionLock(lock, names), undefined, 2)}\n`,
  );
}

/** What a project runs by, from the folder of the repository. */
function filesOf(workspace: string, folder: string): string[] {
  return globSync('src/**/*', { cwd: join(workspace, folder), withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => relative(workspace, join(entry.parentPath, entry.name)));
}

function withExports(manifest: Manifest, moved: (path: string) => string): Manifest {
  const { exports } = manifest;
  if (exports === undefined) return manifest;
  if (typeof exports === 'string') return { ...manifest, exports: moved(exports) };
  const entries = Object.entries(exports).map(([name, path]) => [name, moved(path)]);
  return { ...manifest, exports: Object.fromEntries(entries) as Record<string, string> };
}

function toJson(manifest: Manifest & { workspaces?: string[] }): string {
  const { name, version, license, workspaces, exports, dependencies, overrides } = manifest;
  const kept = { name, version, private: true, license, type: 'module', workspaces, exports };
  return `${JSON.stringify({ ...kept, dependencies, overrides }, undefined, 2)}\n`;
}

function write(target: string, file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(target, file)), { recursive: true });
  writeFileSync(join(target, file), content);
}

function toJs(path: string): string {
  return path.replace(/\.ts$/, '.js');
}
