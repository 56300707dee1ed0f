import { spawnSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { availableBase, readDockerfile } from '../src/base-image.ts';
import { workspace } from './running-image.ts';

const tag = `engawa-test:${process.pid}`;

/** Milliseconds: a guard. Several files build at the same time, beside other tests. */
const buildTimeoutMs = 1_200_000;

/** What npm says where it finds no registry. */
const unreachable = /npm error.*(ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONN|ENETUNREACH|EHOSTUN|CERT)/;

/** Waits for the Docker client. @returns what it printed; `undefined` in place of an exit code where it is not there */
function docker(
  args: readonly string[],
  timeout: number,
  input = '',
): { status?: number; output: string } {
  const options = { cwd: workspace, encoding: 'utf8', timeout, input } as const;
  const { status, stdout, stderr, error } = spawnSync('docker', args, options);
  if (error !== undefined) return { output: error.message };
  return { status: status ?? 1, output: stdout + stderr };
}

/** What the image can be built on; else why there can be no image to test on this machine. */
function findBase(): { base?: string; leftOut?: string } {
  if (docker(['version'], 60_000).status !== 0) {
    return { leftOut: 'there is no Docker engine on this machine' };
  }
  const base = availableBase(workspace);
  if (base === undefined) {
    return { leftOut: 'there is no base image, and no registry to get it from' };
  }
  // The containers are to reach the engine and the broker of these tests, which listen on loopback.
  const network = '/proc/self/ns/net';
  const run = ['run', '--rm', '--network', 'host', '--entrypoint', 'readlink', base, network];
  const isOurs =
    process.platform === 'linux' && docker(run, 120_000).output.trim() === readlinkSync(network);
  return isOurs ? { base } : { leftOut: "Docker's host network is not that of this machine" };
}

/**
 * Tests that need the image, which is built for them; left out, with the reason, where it cannot
 * be: no Docker engine, or nowhere to get its base and packages from. A build that goes wrong
 * otherwise is a test that fails.
 */
export function describeWithImage(name: string, tests: (image: string) => void): void {
  const found = findBase();
  let { leftOut } = found;
  let failure = '';
  if (leftOut === undefined) {
    const build = ['build', '--network', 'host', '--tag', tag, '--file', '-', '.'];
    const { status, output } = docker(build, buildTimeoutMs, readDockerfile(workspace, found.base));
    if (status !== 0 && unreachable.test(output))
      leftOut = 'a build reaches no registry of packages';
    else if (status !== 0) failure = output;
  }
  if (leftOut !== undefined) {
    describe.skip(`${name} (left out: ${leftOut})`, () => tests(tag));
    return;
  }
  describe(name, () => {
    it('is built', () => expect(failure).toBe(''));
    if (failure !== '') return;
    tests(tag);
    // What its steps have made stays, for the next build.
    afterAll(() => void docker(['rmi', '--no-prune', tag], 120_000));
  });
}
