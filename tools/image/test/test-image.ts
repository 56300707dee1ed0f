import { spawnSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { workspace } from './built-tree.ts';

const base = 'node:24-bookworm-slim';
const tag = `engawa-test:${process.pid}`;

/** What npm says where it finds no registry. */
const unreachable = /npm error.*(ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONN|ENETUNREACH|EHOSTUN|CERT)/;

/** Waits for the Docker client. @returns what it printed; `undefined` in place of an exit code where it is not there */
function docker(args: readonly string[], timeout: number): { status?: number; output: string } {
  const options = { cwd: workspace, encoding: 'utf8', timeout } as const;
  const { status, stdout, stderr, error } = spawnSync('docker', args, options);
  if (error !== undefined) return { output: error.message };
  return { status: status ?? 1, output: stdout + stderr };
}

/** Why there can be no image to test on this machine. */
function missing(): string | undefined {
  if (docker(['version'], 60_000).status !== 0) return 'there is no Docker engine on this machine';
  const isThere = docker(['image', 'inspect', base], 60_000).status === 0;
  if (!isThere && docker(['pull', '--quiet', base], 180_000).status !== 0) {
    return `there is no image ${base}, and no registry to get it from`;
  }
  // The containers are to reach the engine and the broker of these tests, which listen on loopback.
  const network = '/proc/self/ns/net';
  const run = ['run', '--rm', '--network', 'host', '--entrypoint', 'readlink', base, network];
  const isOurs =
    process.platform === 'linux' && docker(run, 120_000).output.trim() === readlinkSync(network);
  return isOurs ? undefined : "Docker's host network is not that of this machine";
}

/**
 * Tests that need the image, which is built for them; left out, with the reason, where it cannot be: no Docker engine, or
 * nowhere to get its base and packages from. A build that goes wrong otherwise is a test that fails.
 */
export function describeWithImage(name: string, tests: (image: string) => void): void {
  let leftOut = missing();
  let failure = '';
  if (leftOut === undefined) {
    const { status, output } = docker(['build', '--network', 'host', '--tag', tag, '.'], 420_000);
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
