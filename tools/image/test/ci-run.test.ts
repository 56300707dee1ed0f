import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeOnLinux } from '@engawa/testing';
import { workspace } from './running-image.ts';

/** What a machine has where all that the other tests need is there, and nothing of Docker's is Debian's. */
const machine: Record<string, string> = {
  dpkg: 'case "$2" in docker.io | debootstrap) exit 1 ;; esac',
  'apt-get': 'echo "apt-get $*" >&2; exit 100',
  docker: '',
  dockerd: 'echo "no rights" >&2; exit 1',
  npm: 'echo "CI=$CI npm $*"; exit 7',
};

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'engawa-ci-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs the script where these commands are what the machine has. */
function runScript(commands: Record<string, string>) {
  for (const [name, script] of Object.entries(commands)) {
    const file = join(folder, name);
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  }
  const env = { PATH: `${folder}:/usr/bin:/bin`, TMPDIR: folder };
  const { status, stdout } = spawnSync(join(workspace, '.ci/run'), { env, encoding: 'utf8' });
  return { status, said: stdout.trim().split('\n') };
}

describeOnLinux('it is a script for Debian', '.ci/run', () => {
  it("ends as the tests do, and does not put Debian's Docker in the place of another", () => {
    expect(runScript(machine)).toEqual({ status: 7, said: ['CI=true npm run test:all'] });
  });

  it('requires a running engine if a client is installed; otherwise tests the rest', () => {
    const others = Object.entries(machine).filter(([name]) => name !== 'dockerd');
    const { status, said } = runScript({ ...Object.fromEntries(others), docker: 'exit 1' });
    expect(status).toBe(7);
    expect(said).toEqual(
      expect.arrayContaining([
        'installing docker.io …',
        'Docker cannot be installed:',
        'CI=true npm run test:all',
      ]),
    );
  });

  it('tests the rest if no engine can run', () => {
    expect(runScript({ ...machine, docker: 'exit 1' })).toEqual({
      status: 7,
      said: ['no Docker engine can run here:', 'no rights', 'CI=true npm run test:all'],
    });
  });

  it('tests the rest if the base image is missing and cannot be built', () => {
    const docker = 'case "$1" in image | pull) exit 1 ;; esac';
    const dpkg = 'case "$2" in docker.io) exit 1 ;; esac';
    const debootstrap = 'echo "no mirror"; exit 1';
    const { status, said } = runScript({ ...machine, docker, dpkg, debootstrap });
    expect(status).toBe(7);
    expect(said.slice(-2)).toEqual([
      'there is no base image, so the tests of the image are left out',
      'CI=true npm run test:all',
    ]);
  });
});
