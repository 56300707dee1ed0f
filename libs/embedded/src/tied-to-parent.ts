import { spawnSync } from 'node:child_process';

/**
 * The command line that runs `command` so that it gets `signal` when this process dies, even by
 * SIGKILL, which no handler of ours would see. Linux does that (prctl(2), PR_SET_PDEATHSIG) and
 * setpriv(1) of util-linux asks for it. Where there is no setpriv, the command as it is.
 */
export function tiedToParent(
  signal: 'TERM' | 'KILL',
  [command, ...args]: readonly [string, ...string[]],
): { command: string; args: string[] } {
  const options = ['--pdeathsig', signal];
  const works = spawnSync('setpriv', [...options, 'true'], { stdio: 'ignore' }).status === 0;
  return works ? { command: 'setpriv', args: [...options, command, ...args] } : { command, args };
}
