import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { invariant } from '@engawa/errors';
import { itOnLinux, until } from '@engawa/testing';
import { pauseProcesses } from '../src/tests/pause-processes.ts';

const endless = `console.log(process.pid); setInterval(() => 0, 1000);`;
const withChild = `${endless}
  require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(endless)}], { stdio: 'inherit' });`;

/** The letter of ps; T is stopped. */
function stateOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).charAt(0);
}

itOnLinux('processes are read from /proc', 'stops descendants, and lets them go on', async () => {
  const root = spawn(process.execPath, ['-e', withChild], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const rootPid = invariant(root.pid, 'the process has started');
  const pids: number[] = [];
  createInterface(root.stdout).on('line', (line) => pids.push(Number(line)));
  await until('both processes', () => pids.length === 2);
  const descendant = invariant(
    pids.find((pid) => pid !== rootPid),
    'one of two processes',
  );
  const ended = new AbortController();
  const pauses = pauseProcesses(rootPid, ended.signal);
  try {
    await until('a stopped descendant', () => stateOf(descendant) === 'T');
    expect(stateOf(rootPid)).not.toBe('T');
    ended.abort();
    expect(await pauses).toBeGreaterThan(0);
    expect(stateOf(descendant)).not.toBe('T');
  } finally {
    ended.abort();
    process.kill(descendant);
    root.kill();
    await once(root, 'exit');
  }
});
