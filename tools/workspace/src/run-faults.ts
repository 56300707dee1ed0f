import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

/**
 * `npm run test:faults`: every fault of docs/reliability.md, played for real, and the outcome of every message.
 * `--seeds 20` plays all of them with the seeds 1 to 20; other arguments go to Jest (`-t 'half open'`).
 */
const workspace = resolve(import.meta.dirname, '../../..');
const verdict =
  /^(?<fault>.+): acknowledged (?<taken>\d+), stored (?<stored>\d+), dead-lettered (?<deadLettered>\d+), lost (?<lost>\d+), duplicated (?<duplicated>\d+)$/;

const sums = { faults: 0, acknowledged: 0, lost: 0, duplicated: 0, failed: 0 };

const { values, positionals } = parseArgs({
  options: { seeds: { type: 'string' }, test: { type: 'string', short: 't' } },
  allowPositionals: true,
});
const count = Number(values.seeds ?? 0);
const seeds =
  count > 0 ? Array.from({ length: count }, (_, index) => String(index + 1)) : [undefined];
const pattern = values.test === undefined ? [] : ['-t', values.test];
for (const seed of seeds) {
  if (seed !== undefined) console.log(`\nSEED=${seed}`);
  await play(seed, [...pattern, ...positionals]);
}
const { faults, acknowledged, lost, duplicated, failed } = sums;
console.log(
  `\n${faults} faults played, ${acknowledged} messages acknowledged: lost ${lost}, duplicated ${duplicated}`,
);
console.log(`${seeds.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function play(seed: string | undefined, rest: readonly string[]): Promise<void> {
  // They wait more than they compute.
  const args = [
    // The long ones, too, which jest.preset.cjs leaves out.
    '--testPathIgnorePatterns=/node_modules/',
    '-c',
    '../../jest.preset.cjs',
    '--rootDir',
    '.',
    '--maxWorkers=4',
    'test/faults',
    ...rest,
  ];
  const child = spawn('jest', args, {
    cwd: `${workspace}/tools/system-tests`,
    env: { ...process.env, ...(seed !== undefined && { SEED: seed }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = once(child, 'exit');
  const complaints: string[] = [];
  createInterface(child.stderr).on('line', (line) => complaints.push(line));
  createInterface(child.stdout).on('line', (line) => note(line));
  const [status] = (await exit) as [number | null];
  if (status === 0) return;
  sums.failed += 1;
  console.log(complaints.join('\n'));
}

function note(line: string): void {
  if (line.includes('"level":"fatal"')) console.log(line);
  const found = verdict.exec(line)?.groups;
  if (found === undefined) return;
  console.log(line);
  sums.faults += 1;
  sums.acknowledged += Number(found['taken']);
  sums.lost += Number(found['lost']);
  sums.duplicated += Number(found['duplicated']);
}
