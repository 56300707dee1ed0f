import { spawnSync } from 'node:child_process';

/** What the Docker engine answers to a command. @throws Error with its words */
export function docker(args: readonly string[], input?: string): string {
  const { status, stdout, stderr, error } = spawnSync('docker', args, {
    encoding: 'utf8',
    input,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`docker ${args.slice(0, 3).join(' ')} …: ${stderr || stdout}`);
  return stdout.trim();
}

/** Whether a command of Docker's works here. */
export function dockerDoes(args: readonly string[]): boolean {
  return spawnSync('docker', args, { stdio: 'ignore' }).status === 0;
}
