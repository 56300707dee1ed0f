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
  const kept = new Map<string, LockEntry>();
  const keep = (path: string): void => {
    const entry = lock.packages[path];
    if (entry === undefined) throw new Error(`package-lock.json has nothing at ${path}`);
    if (kept.has(path)) return;
    kept.set(path, withoutDevelopment(entry));
    if (entry.link === true) keep(entry.resolved ?? '');
    else for (const name of needsOf(entry)) keep(installedAt(lock, path, name));
  };
  for (const name of names) keep(join('node_modules', name));
  const workspaces = [...kept.values()].flatMap(({ link, resolved }) =>
    link === true && resolved !== undefined ? [resolved] : [],
  );
  const own = { ...withoutDevelopment(root), workspaces };
  const sorted = [...kept].sort(([one], [other]) => (one < other ? -1 : 1));
  return { ...lock, packages: { '': own, ...Object.fromEntries(sorted) } };
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
