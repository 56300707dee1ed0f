import { spawnSync } from 'node:child_process';

/** Debian puts brokers where a user's PATH does not look. */
export const pathWithSbin = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` };

/** `describe` where these programs are on the machine, and one that is left out, and says so, where they are not. */
export function describeWith(programs: readonly string[], name: string, tests: () => void): void {
  const missing = programs.filter(
    (program) => spawnSync(program, ['-h'], { env: pathWithSbin }).error !== undefined,
  );
  if (missing.length === 0) describe(name, tests);
  else {
    const what = missing.join(' and no ');
    describe.skip(`${name} (left out: there is no ${what} on this machine)`, tests);
  }
}
