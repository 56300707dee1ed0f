import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is used here of the package.json of the repository. */
export interface RootManifest {
  name: string;
  version: string;
  description: string;
  license: string;
  /** Where the repository is published. Everything that names an address is made of this one. */
  repository?: { type: string; url: string };
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

  /**
   * Address of the published repository, such as `https://github.com/owner/engawa`; `undefined`
   * where none is named.
   */
  get address(): string | undefined {
    return this.manifest.repository?.url.replace(/^git\+/, '').replace(/\.git$/, '');
  }

  /** Text of a file; '' where there is none. */
  read(file: string): string {
    const path = join(this.folder, file);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  readJson(file: string): unknown {
    return JSON.parse(readFileSync(join(this.folder, file), 'utf8'));
  }

  /** Files by pattern, from the folder of the repository, sorted; none of installed packages. */
  files(...patterns: string[]): string[] {
    const exclude = (name: string): boolean => name.split('/').at(-1) === 'node_modules';
    return globSync(patterns, { cwd: this.folder, exclude }).sort();
  }
}

/** Line of a position in a text, from 1. */
export function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}
