import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changedFiles } from '../src/tests/changed-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'engawa-changes-'));
  git('init', '--quiet', '--initial-branch=main');
  commit('first.ts');
});
afterEach(() => rmSync(folder, { recursive: true }));

function git(...args: string[]): void {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'ignore' });
}

function write(name: string): void {
  writeFileSync(join(folder, name), name);
}

function commit(name: string): void {
  write(name);
  git('add', '.');
  git('commit', '--quiet', '-m', name);
}

it('are those of commits since origin/main, of the index, and new ones', () => {
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  commit('committed.ts');
  write('staged.ts');
  git('add', '.');
  write('new file.ts');
  rmSync(join(folder, 'first.ts'));
  const changes = changedFiles(folder);
  expect(changes?.base).toBe('origin/main');
  expect(changes?.files.toSorted()).toEqual([
    'committed.ts',
    'first.ts',
    'new file.ts',
    'staged.ts',
  ]);
});

it('do not contain what only origin/main has', () => {
  git('switch', '--quiet', '--create', 'work');
  git('switch', '--quiet', 'main');
  commit('elsewhere.ts');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  git('switch', '--quiet', 'work');
  expect(changedFiles(folder)?.files).toEqual([]);
});

it('are those since the last tag where there is no origin/main', () => {
  git('tag', 'v1.0.0');
  commit('later.ts');
  expect(changedFiles(folder)).toEqual({ base: 'v1.0.0', files: ['later.ts'] });
});

it('are unknown where there is nothing to compare with', () => {
  expect(changedFiles(folder)).toBeUndefined();
  expect(changedFiles(tmpdir())).toBeUndefined();
});
