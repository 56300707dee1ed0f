import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

export const workspace = resolve(import.meta.dirname, '../../..');

/** Runs a command in the workspace, its output visible. @returns whether it exited with 0 */
export function run(
  title: string,
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): boolean {
  console.log(`\n── ${title}`);
  const { status } = spawnSync(command, args, {
    cwd: workspace,
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  return status === 0;
}
