import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { until } from '@engawa/testing';

const tested = join(__dirname, '../src/run.ts');
const endless = `console.log('pid', process.pid); setInterval(() => 0, 1000);`;
const withChild = `${endless}
  require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(endless)}], { stdio: 'inherit' });`;

/** Calls a function of run.ts with this command in a process of its own. */
function start(action: 'run' | 'runConcurrently', script: string) {
  const command = { title: 'a command', command: process.execPath, args: ['-e', script] };
  const call = `import { ${action} } from ${JSON.stringify(tested)};
    console.log('passed:', await ${action}(${JSON.stringify(command)}));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', call], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  return { child, lines };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it.each(['run', 'runConcurrently'] as const)(
  '%s tells whether the command passed',
  async (action) => {
    for (const [code, line] of [
      [0, 'passed: true'],
      [3, 'passed: false'],
    ] as const) {
      const { child, lines } = start(action, `console.log('said'); process.exitCode = ${code};`);
      await once(child, 'close');
      expect(lines).toEqual(expect.arrayContaining(['said', line]));
    }
  },
);

it('a signal that kill sends ends the command and its child processes', async () => {
  const { child, lines } = start('run', withChild);
  const pids = await until('the processes', () => {
    const numbers = lines
      .filter((each) => each.startsWith('pid '))
      .map((each) => Number(each.slice(4)));
    return numbers.length === 2 ? numbers : undefined;
  });
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([130, null]);
  await until('the end of the processes', () => !pids.some(isRunning));
  expect(lines).not.toContain('passed: false');
});
