import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { run, workspace } from '../run.ts';
import { resultsFolder } from './results.ts';

const code = /\.[mc]?[tj]sx?$/;

/** Tests start hundreds of worker threads and processes: one with compiled code takes half of the CPU time. */
export const testEnvironment = {
  NODE_COMPILE_CACHE: join(workspace, 'node_modules/.cache/node'),
};

/** `jest.long.cjs` has the tests that take minutes. */
export type JestConfig = 'jest.config.cjs' | 'jest.long.cjs';

/** Paths relative to the workspace of the tests that a configuration has. */
export function listTests(config: JestConfig): Promise<string[]> {
  return list(['-c', config]);
}

/** The tests of a configuration that import one of the files, directly or indirectly; or are one of them. */
export async function relatedTests(
  config: JestConfig,
  files: readonly string[],
): Promise<string[]> {
  const sources = files.filter((file) => code.test(file) && existsSync(join(workspace, file)));
  return sources.length === 0 ? [] : list(['-c', config, '--findRelatedTests', ...sources]);
}

async function list(args: readonly string[]): Promise<string[]> {
  const options = { cwd: workspace, maxBuffer: Number.POSITIVE_INFINITY };
  const { stdout } = await promisify(execFile)('jest', [...args, '--listTests', '--json'], options);
  return (JSON.parse(stdout) as string[]).map((path) => relative(workspace, path));
}

/**
 * Runs these tests, their progress visible.
 * @param isThorough whether tests of generated and exhaustive cases play all of them
 */
export async function runJest(
  config: JestConfig,
  tests: readonly string[],
  { isThorough }: { isThorough: boolean },
): Promise<void> {
  if (tests.length === 0) return;
  const selected = join(resultsFolder, `selected-by-${config}.txt`);
  writeFileSync(selected, tests.map((file) => join(workspace, file)).join('\n'));
  // A filter, since Jest repeats paths that are arguments.
  const filter = join(import.meta.dirname, 'selected-tests.cjs');
  const args = ['-c', config, '--filter', filter];
  const environment = {
    ...testEnvironment,
    SELECTED_TESTS: selected,
    TEST_THOROUGHLY: isThorough ? '1' : '0',
  };
  await run({ title: `jest -c ${config}`, command: 'jest', args, environment });
}
