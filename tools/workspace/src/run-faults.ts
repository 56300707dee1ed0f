import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { OperatorError } from '@engawa/errors';
import { help, parseOptions } from './fault-options.ts';
import type { FaultOptions } from './fault-options.ts';

const workspace = resolve(import.meta.dirname, '../../..');
const verdict =
  /^(?<fault>.+): acknowledged (?<taken>\d+), stored (?<stored>\d+), dead-lettered (?<deadLettered>\d+), lost (?<lost>\d+), duplicated (?<duplicated>\d+)$/;

const sums = { faults: 0, acknowledged: 0, lost: 0, duplicated: 0, failed: 0 };

await main();

/** `npm run test:faults`. */
async function main(): Promise<void> {
  const options = readOptions();
  if (options === undefined) return;
  const { seeds, jestArguments } = options;
  for (const seed of seeds) {
    if (seed !== undefined) console.log(`\nSEED=${seed}`);
    await play(seed, jestArguments);
  }
  const { faults, acknowledged, lost, duplicated, failed } = sums;
  console.log(
    `\n${faults} faults played, ${acknowledged} messages acknowledged: lost ${lost}, duplicated ${duplicated}`,
  );
  console.log(`${seeds.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

/** Prints the help or what is wrong with an option; undefined where nothing is to be played. */
function readOptions(): FaultOptions | undefined {
  try {
    const options = parseOptions(process.argv.slice(2));
    if (options !== 'help') return options;
    console.log(help);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
  return undefined;
}

async function play(seed: string | undefined, rest: readonly string[]): Promise<void> {
  // They wait more than they compute.
  const args = [
    // The long ones, too, which jest.config.cjs leaves out.
    '--testPathIgnorePatterns=/node_modules/',
    '-c',
    'jest.config.cjs',
    '--maxWorkers=4',
    'tools/system-tests/test/faults',
    ...rest,
  ];
  const child = spawn('jest', args, {
    cwd: workspace,
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
