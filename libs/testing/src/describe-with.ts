import { spawnSync } from 'node:child_process';

/** Debian installs brokers outside a user's PATH. */
export const pathWithSbin = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` };

/** `describe`, skipped with the reason on machines without these programs. */
export function describeWith(programs: readonly string[], name: string, tests: () => void): void {
  const missing = programs.filter(
    (program) => spawnSync(program, ['-h'], { env: pathWithSbin }).error !== undefined,
  );
  if (missing.length === 0) describe(name, tests);
  else {
    const what = missing.join(' and no ');
    describe.skip(`${name} (skipped: no ${what} on this machine)`, tests);
  }
}
