import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What is used here of a package.json. */
export interface Manifest {
  name: string;
  version: string;
  license: string;
  exports?: string | Record<string, string>;
  dependencies?: Record<string, string>;
  /** Of the repository's own: versions that dependencies of dependencies are held at. */
  overrides?: Record<string, unknown>;
}

export interface Project {
  /** From the folder of the repository, such as `libs/keys`. */
  folder: string;
  manifest: Manifest;
}

export function readManifest(workspace: string, folder: string): Manifest {
  return JSON.parse(readFileSync(join(workspace, folder, 'package.json'), 'utf8')) as Manifest;
}

/** Everything of ours that runs in production: what the named package depends on, directly or not, without itself. */
export function projectsOf(workspace: string, name: string): Project[] {
  const folders = globSync('{apps,libs,tools}/*/package.json', { cwd: workspace }).map(dirname);
  const known = new Map(
    folders.map((folder) => {
      const manifest = readManifest(workspace, folder);
      return [manifest.name, { folder, manifest }] as const;
    }),
  );
  const found = new Set<string>();
  const visit = (dependent: string): void => {
    for (const dependency of Object.keys(known.get(dependent)?.manifest.dependencies ?? {})) {
      if (!known.has(dependency) || found.has(dependency)) continue;
      found.add(dependency);
      visit(dependency);
    }
  };
  visit(name);
  return [...known.values()]
    .filter(({ manifest }) => found.has(manifest.name))
    .sort((one, other) => (one.folder < other.folder ? -1 : 1));
}
