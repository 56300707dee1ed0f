import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '@engawa/errors';
import { tiedToParent } from '@engawa/embedded';

/** Debian puts it where a user's PATH does not look. */
const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` };

/** A Mosquitto that keeps every message, and leaves it to the client how many are in flight. */
export async function startMosquitto(
  port: number,
): Promise<{ url: string; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'engawa-bench-'));
  const file = join(folder, 'mosquitto.conf');
  const settings = [
    'user root', // or it would become another user, who may not read this file
    'allow_anonymous true',
    'max_queued_messages 0',
    'max_inflight_messages 0',
    `listener ${port} 127.0.0.1`,
  ];
  writeFileSync(file, `${settings.join('\n')}\n`);
  const { command, args } = tiedToParent('KILL', ['mosquitto', '-c', file]);
  const child = spawn(command, args, { env, stdio: 'ignore', detached: true });
  const failed = new AbortController();
  child.once('error', () => failed.abort());
  child.once('exit', () => failed.abort());
  while (!(await isListening(port))) {
    if (failed.signal.aborted) throw new OperatorError('mosquitto does not start here');
    await sleep(50);
  }
  return {
    url: `mqtt://127.0.0.1:${port}`,
    async close() {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true });
    },
  };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
