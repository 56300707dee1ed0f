import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Repository } from '../src/repository.ts';

export const workspace = resolve(__dirname, '../../..');

/** All files with a version, and all packaged files. */
const patterns = [
  '*.md',
  'package.json',
  'package-lock.json',
  'LICENSE',
  'Dockerfile',
  '.github/**/*',
  'docs/*.md',
  'docs/runbooks/*.md',
  'charts/**/*',
  '{apps,libs,tools}/*/{package.json,README.md}',
  'tools/release/released-changes.json',
];

/** A copy of the checked files, to change. */
export class RepositoryCopy {
  readonly folder = mkdtempSync(join(tmpdir(), 'engawa-release-'));

  constructor() {
    for (const entry of globSync(patterns, { cwd: workspace, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const from = join(entry.parentPath, entry.name);
      const to = join(this.folder, from.slice(workspace.length));
      mkdirSync(dirname(to), { recursive: true });
      cpSync(from, to);
    }
  }

  get repository(): Repository {
    return new Repository(this.folder);
  }

  /** @throws Error when the file does not contain the text, so that each test changes something */
  replace(file: string, from: string | RegExp, to: string): void {
    const path = join(this.folder, file);
    const text = readFileSync(path, 'utf8');
    const changed = text.replace(from, to);
    if (changed === text) throw new Error(`${file} has no ${String(from)}`);
    writeFileSync(path, changed);
  }

  /** Leaves only the heading of the unreleased changes. */
  withoutUnreleasedChanges(): void {
    const path = join(this.folder, 'CHANGELOG.md');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace(/(?<=^## \[Unreleased\]\n)[^]*?(?=^## \[)/m, '\n'));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
