import { installedWithTool, withoutDevelopment } from './production-lock.ts';
import type { Lock } from './production-lock.ts';

/** A program that only the build of the image runs. */
export interface BuildTool {
  /** The project that depends on it, and finds its own version of it. */
  folder: string;
  name: string;
}

/** The bundler of the services, and of the web app. */
export const buildTools: readonly BuildTool[] = [
  { folder: 'tools/image', name: 'esbuild-wasm' },
  { folder: 'apps/console', name: 'vite' },
];

interface ToolsLock {
  /** The root manifest, which has the projects as workspaces. */
  root: object;
  /** Manifests of the projects, by folder. */
  projects: Map<string, object>;
  lock: Lock;
}

/**
 * The part of the lock file that installs only these tools, each where its project finds it, and the manifests for it.
 * @throws Error if the lock file does not have a dependency
 */
export function toolsLock(lock: Lock, tools: readonly BuildTool[]): ToolsLock {
  const root = { private: true, workspaces: tools.map(({ folder }) => folder) };
  const projects = new Map<string, object>();
  const packages: Lock['packages'] = { '': root };
  for (const { folder, name } of tools) {
    const {
      name: project = folder,
      version,
      dependencies,
      devDependencies,
    } = ofFolder(lock, folder);
    const range = { ...devDependencies, ...dependencies }[name] ?? '*';
    const manifest = {
      name: project,
      version: version ?? '0.0.0',
      dependencies: { [name]: range },
    };
    projects.set(folder, manifest);
    packages[folder] = manifest;
    packages[`node_modules/${project}`] = { resolved: folder, link: true };
    for (const path of installedWithTool(lock, folder, name)) {
      const { optionalDependencies, ...entry } = lock.packages[path] ?? {};
      packages[path] = { ...withoutDevelopment(entry), optionalDependencies };
    }
  }
  return { root, projects, lock: { ...lock, packages } };
}

function ofFolder(lock: Lock, folder: string): Lock['packages'][string] {
  const entry = lock.packages[folder];
  if (entry === undefined) throw new Error(`package-lock.json has no project ${folder}`);
  return entry;
}
