import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { buildManifests } from './build-manifests.ts';
import { unbundledPackages } from './unbundled-packages.ts';

const workspace = resolve(import.meta.dirname, '../../..');

/** The image's folder /app outside of an image; its unbundled packages are links to those of the repository. */
export interface LocalImage {
  folder: string;
  /** Command line of a process of the image. */
  command: (...args: string[]) => [string, ...string[]];
  /** The image's environment variables, except for HOST. */
  environment: Record<string, string>;
  remove: () => void;
}

/** Builds the image's files in a temporary folder. @param options.compiled whether to fill Node's compile cache */
export function buildLocalImage({ compiled = false } = {}): LocalImage {
  const folder = mkdtempSync(join(tmpdir(), 'engawa-image-'));
  buildManifests({ workspace, target: folder });
  // In another process: esbuild does not run inside Jest.
  execFileSync(process.execPath, [join(workspace, 'tools/image/src/build-bundle.ts'), folder]);
  linkPackages(folder);
  const environment: Record<string, string> = { NODE_ENV: 'production' };
  if (compiled) {
    environment['NODE_COMPILE_CACHE'] = join(folder, 'compiled');
    execFileSync(process.execPath, [join(folder, 'compile-ahead.js')], {
      env: { ...process.env, ...environment },
    });
  }
  return {
    folder,
    command: (...args) => [process.execPath, join(folder, 'entrypoint.js'), ...args],
    environment,
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function linkPackages(folder: string): void {
  for (const name of unbundledPackages) {
    const path = join('node_modules', name);
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(workspace, path), join(folder, path));
  }
}
