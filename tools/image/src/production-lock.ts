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
  optionalDependencies?: Record<string, string>;
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

/**
 * Folders in which the packages and all their production dependencies are installed.
 * @throws Error if the lock file does not have a dependency
 */
export function installedWith(lock: Lock, names: readonly string[]): Set<string> {
  return closure(lock, new Set(names.map((name) => join('node_modules', name))), needsOf);
}

/**
 * Folders in which a development dependency of a project is installed, with the native code of each platform: npm
 * selects the one of the machine.
 * @throws Error if the lock file does not have a dependency
 */
export function installedWithTool(lock: Lock, folder: string, tool: string): Set<string> {
  return closure(lock, new Set([pathOf(lock, folder, tool)]), (entry) => [
    ...needsOf(entry),
    ...Object.keys(entry.optionalDependencies ?? {}),
  ]);
}

function closure(
  lock: Lock,
  paths: Set<string>,
  namesOf: (entry: LockEntry) => string[],
): Set<string> {
  // The iteration reaches paths that are added during it.
  for (const path of paths) {
    const entry = lock.packages[path];
    if (entry === undefined) throw new Error(`package-lock.json has nothing at ${path}`);
    if (entry.link === true) paths.add(entry.resolved ?? '');
    else for (const name of namesOf(entry)) paths.add(pathOf(lock, path, name));
  }
  return paths;
}

export function withoutDevelopment(entry: LockEntry): LockEntry {
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
function pathOf(lock: Lock, from: string, name: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name);
    if (lock.packages[path] !== undefined) return path;
    if (folder === '.') throw new Error(`package-lock.json has no ${name}, which ${from} needs`);
  }
}
