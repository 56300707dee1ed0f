import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '../src/free-ports.ts';

const run = promisify(execFile);
/** Enough that a port drawn twice among the 22,000 of the range is all but certain (3 in 10,000 sets have none). */
const count = 600;

async function freePorts(): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, findFreePort));
}

it('is never a port that fetch blocks, the last of which is 10080', async () => {
  expect(Math.min(...(await freePorts()))).toBeGreaterThan(10_080);
});

const onLinux = process.platform === 'linux' ? describe : describe.skip;
onLinux('on Linux (skipped elsewhere: no abstract sockets)', () => {
  it('returns a port once while the process runs, also to other processes', async () => {
    const script = join(__dirname, 'fixtures/print-free-ports.ts');
    const [own, other] = await Promise.all([
      freePorts(),
      run(process.execPath, [script, String(count)]),
    ]);
    const ports = [...own, ...(JSON.parse(other.stdout) as number[])];
    expect(ports).toHaveLength(2 * count);
    expect(new Set(ports).size).toBe(2 * count);
  });
});
