import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runConcurrently, workspace } from '../run.ts';

const lintedFolders = ['apps', 'bench', 'libs', 'tools'];
const linted = /^(apps|bench|libs|tools)\/.*\.[mc]?[tj]sx?$/;

const projectGraph = {
  title: 'project graph',
  command: 'nx',
  args: ['graph', '--file=node_modules/.cache/project-graph.json'],
  environment: { NX_DAEMON: 'false', NX_TUI: 'false', NX_NO_CLOUD: 'true' },
};

/**
 * Checks format, lint and types concurrently, since each check computes with one thread.
 * @param changed only these files are formatted and linted; all files if undefined
 * @returns by name, whether it passed
 */
export async function check(
  changed: readonly string[] | undefined,
): Promise<Record<string, boolean>> {
  const files = changed?.filter((file) => existsSync(join(workspace, file)));
  const [format, lint, typecheck] = await Promise.all([
    checkFormat(files ?? ['.']),
    checkLint(files?.filter((file) => linted.test(file)) ?? lintedFolders),
    checkTypes(),
  ]);
  return { ...format, ...lint, typecheck };
}

async function checkFormat(files: readonly string[]): Promise<Record<string, boolean>> {
  if (files.length === 0) return {};
  const args = ['--check', '--log-level=warn', '--ignore-unknown', ...files];
  return { format: await runConcurrently({ title: 'format', command: 'prettier', args }) };
}

/**
 * The rule on imports between projects reads the project graph that Nx has cached, and is skipped
 * where there is none.
 */
async function checkLint(files: readonly string[]): Promise<Record<string, boolean>> {
  if (files.length === 0) return {};
  const args = ['--no-warn-ignored', ...files];
  const lint =
    (await runConcurrently(projectGraph)) &&
    (await runConcurrently({ title: 'lint', command: 'eslint', args }));
  return { lint };
}

/** All code that runs in Node as one program, and the code of the browser as another: with other global types. */
async function checkTypes(): Promise<boolean> {
  const programs = ['tools/workspace/tsconfig.all.json', 'apps/console/web/tsconfig.json'];
  let isTyped = true;
  for (const program of programs) {
    const title = `typecheck ${program}`;
    const command = { title, command: 'tsc', args: ['-p', program] };
    isTyped = (await runConcurrently(command)) && isTyped;
  }
  return isTyped;
}
