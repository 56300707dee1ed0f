import { spawnSync } from 'node:child_process';
import { pathWithSbin } from '@engawa/embedded';

const env = { ...process.env, PATH: pathWithSbin };

/** `describe`, skipped with the reason on machines without these programs. */
export function describeWith(programs: readonly string[], name: string, tests: () => void): void {
  const missing = programs.filter(
    (program) => spawnSync(program, ['-h'], { env }).error !== undefined,
  );
  if (missing.length === 0) describe(name, tests);
  else {
    const what = missing.join(' and no ');
    describe.skip(`${name} (skipped: no ${what} on this machine)`, tests);
  }
}
