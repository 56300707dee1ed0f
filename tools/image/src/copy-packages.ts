import { cpSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { installedWith } from './production-lock.ts';
import { unbundledPackages } from './unbundled-packages.ts';
import type { Lock } from './production-lock.ts';

/** Files of a bundled package that remain in the image: for scanners, and as its licence demands. */
const kept = /^(package\.json|(licen[cs]e|copying|notice|authors|patents)([.-].*)?)$/i;

export interface CopyPackagesOptions {
  /** Folder with `node_modules` and the lock file that they are installed from. */
  from: string;
  /** Folder that gets `node_modules`. */
  to: string;
}

/** Copies unbundled packages with their dependencies, and of all others the manifest and licence. */
export function copyPackages({ from, to }: CopyPackagesOptions): void {
  const lock = JSON.parse(readFileSync(join(from, 'package-lock.json'), 'utf8')) as Lock;
  const whole = installedWith(lock, unbundledPackages);
  for (const [path, { link }] of Object.entries(lock.packages)) {
    if (!path.includes('node_modules/') || link === true) continue;
    if (whole.has(path)) copyWhole(join(from, path), join(to, path));
    else copyNotices(join(from, path), join(to, path));
  }
}

/** Without the packages inside it, which have entries of their own. */
function copyWhole(from: string, to: string): void {
  const nested = join(from, 'node_modules');
  cpSync(from, to, { recursive: true, filter: (path) => path !== nested });
}

function copyNotices(from: string, to: string): void {
  for (const file of globSync('**/*', { cwd: from, exclude: (name) => name === 'node_modules' })) {
    // Manifests in subfolders are read by Node, not by scanners.
    const isNotice = kept.test(basename(file));
    const isManifest = basename(file) === 'package.json';
    if (!isNotice || (isManifest && dirname(file) !== '.')) continue;
    cpSync(join(from, file), join(to, file), { recursive: true });
  }
}
