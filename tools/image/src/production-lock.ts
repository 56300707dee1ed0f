import { dirname, join } from 'node:path';

/** An entry of package-lock.json, by the folder that it is installed in. */
interface LockEntry {
  name?: string;
  version?: string;
  link?: boolean;
  /** Of a link: where it leads. */
  resolved?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  workspaces?: string[];
  [more: string]: unknown;
}

export interface Lock {
  packages: Record<string, LockEntry>;
  [more: string]: unknown;
}

/**
 * The part of the lock file that these projects need in production. The image then contains nothing else
 * (`npm ci --omit=dev` would also install what one workspace needs of another for development), and a scanner that
 * reads the lock file reports exactly the packages of the image.
 * @param names of the projects that are part of it
 * @throws Error where the lock file does not know a dependency
 */
export function productionLock(lock: Lock, names: readonly string[]): Lock {
  const { '': root = {} } = lock.packages;
  const kept = [...installedWith(lock, names)].map(
    (path) => [path, withoutDevelopment(lock.packages[path] ?? {})] as const,
  );
  const workspaces = kept.flatMap(([, { link, resolved }]) =>
    link === true && resolved !== undefined ? [resolved] : [],
  );
  const own = { ...withoutDevelopment(root), workspaces };
  const sorted = kept.sort(([one], [other]) => (one < other ? -1 : 1));
  return { ...lock, packages: { '': own, ...Object.fromEntries(sorted) } };
}

/** The part of the lock file that installs one package. @throws Error if the lock file does not have a dependency */
export function packageLock(lock: Lock, name: string): Lock {
  const paths = [...installedWith(lock, [name])];
  const entries = paths.map(
    (path) => [path, withoutDevelopment(lock.packages[path] ?? {})] as const,
  );
  const version = lock.packages[join('node_modules', name)]?.version ?? '';
  const root = { private: true, dependencies: { [name]: version } };
  return { ...lock, packages: { '': root, ...Object.fromEntries(entries) } };
}

/**
 * Folders in which the packages and all their production dependencies are installed.
 * @throws Error if the lock file does not have a dependency
 */
export function installedWith(lock: Lock, names: readonly string[]): Set<string> {
  const found = new Set<string>();
  const add = (path: string): void => {
    const entry = lock.packages[path];
    if (entry === undefined) throw new Error(`package-lock.json has nothing at ${path}`);
    if (found.has(path)) return;
    found.add(path);
    if (entry.link === true) add(entry.resolved ?? '');
    else for (const name of needsOf(entry)) add(installedAt(lock, path, name));
  };
  for (const name of names) add(join('node_modules', name));
  return found;
}

function withoutDevelopment(entry: LockEntry): LockEntry {
  const left = { devDependencies: undefined, optionalDependencies: undefined };
  return { ...entry, ...left, dev: undefined, devOptional: undefined };
}

/** What an installed package cannot be without. */
function needsOf(entry: LockEntry): string[] {
  const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = entry;
  const peers = Object.keys(peerDependencies).filter(
    (name) => peerDependenciesMeta[name]?.optional !== true,
  );
  return [...Object.keys(dependencies), ...peers];
}

/** Where Node finds it: beside the one that asks for it, or beside one of the folders above. */
function installedAt(lock: Lock, from: string, name: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name);
    if (lock.packages[path] !== undefined) return path;
    if (folder === '.') throw new Error(`package-lock.json has no ${name}, which ${from} needs`);
  }
}
