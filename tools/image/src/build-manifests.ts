import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { productionLock } from './production-lock.ts';
import { buildTools, toolsLock } from './tools-lock.ts';
import { projectsOf, readManifest } from './workspace-projects.ts';
import type { Lock } from './production-lock.ts';
import type { Manifest } from './workspace-projects.ts';

export interface BuildManifestsOptions {
  /** Folder of the repository. */
  workspace: string;
  /** Folder that gets the manifests. */
  target: string;
}

/** Writes a package.json for each project of the image, without development dependencies, and their lock file. */
export function buildManifests({ workspace, target }: BuildManifestsOptions): void {
  const projects = projectsOf(workspace, '@engawa/image');
  const names = projects.map(({ manifest }) => manifest.name);
  const workspaces = projects.map(({ folder }) => folder);
  const root = { ...readManifest(workspace, '.'), workspaces };
  write(target, 'package.json', root);
  for (const { folder, manifest } of projects)
    write(target, join(folder, 'package.json'), manifest);
  writeJson(target, 'package-lock.json', productionLock(readLock(workspace), names));
}

/** Writes manifests and a lock file that install only the bundlers. */
export function buildBundlerManifests({ workspace, target }: BuildManifestsOptions): void {
  const { root, projects, lock } = toolsLock(readLock(workspace), buildTools);
  writeJson(target, 'package.json', root);
  for (const [folder, manifest] of projects) {
    writeJson(target, join(folder, 'package.json'), manifest);
  }
  writeJson(target, 'package-lock.json', lock);
}

function readLock(workspace: string): Lock {
  return JSON.parse(readFileSync(join(workspace, 'package-lock.json'), 'utf8')) as Lock;
}

function write(target: string, file: string, manifest: Manifest & { workspaces?: string[] }): void {
  const { name, version, license, workspaces, exports, dependencies, overrides } = manifest;
  const kept = { name, version, private: true, license, type: 'module', workspaces, exports };
  writeJson(target, file, { ...kept, dependencies, overrides });
}

function writeJson(target: string, file: string, content: unknown): void {
  mkdirSync(dirname(join(target, file)), { recursive: true });
  writeFileSync(join(target, file), `${JSON.stringify(content, undefined, 2)}\n`);
}
