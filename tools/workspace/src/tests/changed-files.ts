import { execFileSync } from 'node:child_process';
import type { ExecFileSyncOptionsWithStringEncoding } from 'node:child_process';
import { workspace } from '../run.ts';

export interface Changes {
  /** What the changes are compared with: `origin/main`, or the last tag. */
  base: string;
  /** Paths relative to the workspace, also of deleted files. */
  files: string[];
}

/**
 * The files that differ from `origin/main`, or from the last tag where there is no such branch: commits, and what is
 * not committed. Undefined where there is neither, or no repository: then everything counts as changed.
 * @param folder the repository
 */
export function changedFiles(folder = workspace): Changes | undefined {
  const base = ['origin/main', lastTag(folder)].find(
    (name) => name !== undefined && git(folder, 'rev-parse', '--verify', '--quiet', name),
  );
  const fork = base === undefined ? undefined : git(folder, 'merge-base', base, 'HEAD');
  if (base === undefined || fork === undefined) return undefined;
  const tracked = git(folder, 'diff', '--name-only', '--relative', '-z', fork) ?? '';
  const untracked = git(folder, 'ls-files', '--others', '--exclude-standard', '-z') ?? '';
  return { base, files: `${tracked}\0${untracked}`.split('\0').filter((name) => name !== '') };
}

function lastTag(folder: string): string | undefined {
  return git(folder, 'describe', '--tags', '--abbrev=0');
}

/** @returns its output without the last line break; undefined where it failed */
function git(folder: string, ...args: string[]): string | undefined {
  const options: ExecFileSyncOptionsWithStringEncoding = {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  };
  try {
    return execFileSync('git', args, options).trimEnd() || undefined;
  } catch {
    return undefined;
  }
}
