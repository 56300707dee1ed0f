import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OperatorError } from '@engawa/errors';
import { workspace } from '../run.ts';

export interface Project {
  /** Without the scope: `keys`. */
  name: string;
  /** Relative to the workspace: `libs/keys`. */
  folder: string;
  /**
   * It serves the developers, not the users of the product: `npm test` runs its tests only after changes that can
   * affect them. Such projects have the tag `instrument`.
   */
  isInstrument: boolean;
}

interface Manifest {
  name: string;
  nx?: { tags?: string[] };
}

export function readProjects(): Project[] {
  return globSync('{apps,libs,tools}/*/package.json', { cwd: workspace }).map((file) => {
    const { name, nx } = JSON.parse(readFileSync(join(workspace, file), 'utf8')) as Manifest;
    return {
      name: name.replace('@engawa/', ''),
      folder: dirname(file),
      isInstrument: nx?.tags?.includes('instrument') === true,
    };
  });
}

/** @throws OperatorError for a name that no project has */
export function projectsNamed(names: readonly string[], projects: readonly Project[]): Project[] {
  return names.map((name) => {
    const found = projects.find((project) => project.name === name.replace('@engawa/', ''));
    if (found !== undefined) return found;
    const known = projects.map((project) => project.name).toSorted();
    throw new OperatorError(`there is no project "${name}"; there are ${known.join(', ')}`);
  });
}

export function isIn(folder: string, file: string): boolean {
  return file.startsWith(`${folder}/`);
}
