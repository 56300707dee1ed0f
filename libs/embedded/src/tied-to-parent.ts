import { spawnSync } from 'node:child_process';

/**
 * The command line that runs `command` so that it gets `signal` when this process dies, even by SIGKILL, which no
 * handler can catch. Linux provides this (prctl(2), PR_SET_PDEATHSIG) through setpriv(1) of util-linux. Without
 * setpriv, the unchanged command.
 */
export function tiedToParent(
  signal: 'TERM' | 'KILL',
  [command, ...args]: readonly [string, ...string[]],
): { command: string; args: string[] } {
  const options = ['--pdeathsig', signal];
  const works = spawnSync('setpriv', [...options, 'true'], { stdio: 'ignore' }).status === 0;
  return works ? { command: 'setpriv', args: [...options, command, ...args] } : { command, args };
}
