import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The used fields of the repository's package.json. */
export interface RootManifest {
  name: string;
  version: string;
  description: string;
  license: string;
}

/** The files of a checkout of the repository, or of a copy of it. */
export class Repository {
  readonly folder: string;
  readonly manifest: RootManifest;

  constructor(folder: string) {
    this.folder = folder;
    this.manifest = this.readJson('package.json') as RootManifest;
  }

  /** The one version of everything. */
  get version(): string {
    return this.manifest.version;
  }

  /** Text of a file; '' when it does not exist. */
  read(file: string): string {
    const path = join(this.folder, file);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  readJson(file: string): unknown {
    return JSON.parse(readFileSync(join(this.folder, file), 'utf8'));
  }

  /** Files by pattern, relative to the repository, sorted, without installed packages. */
  files(...patterns: string[]): string[] {
    const exclude = (name: string): boolean => name.split('/').at(-1) === 'node_modules';
    return globSync(patterns, { cwd: this.folder, exclude }).sort();
  }
}

/** Line of a position in a text, from 1. */
export function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}
