import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tiedToParent } from '@engawa/embedded';
import { describeWith, pathWithSbin } from './describe-with.ts';
import { findFreePort as freePort } from '@engawa/embedded';
import { until } from './until.ts';

/** Tests that need a real Mosquitto. */
export function describeWithMosquitto(name: string, tests: () => void): void {
  describeWith(['mosquitto'], name, tests);
}

export interface Mosquitto {
  port: number;
  url: string;
  close(): Promise<void>;
  /** Ends it without a warning. */
  kill(): Promise<void>;
}

/** A real Mosquitto, with its own defaults but for a queue that does not drop a backlog. */
export async function startMosquitto(
  options: { port?: number; settings?: string[] } = {},
): Promise<Mosquitto> {
  const port = options.port ?? (await freePort());
  const folder = mkdtempSync(join(tmpdir(), 'engawa-mosquitto-'));
  const file = join(folder, 'mosquitto.conf');
  const settings = options.settings ?? ['allow_anonymous true'];
  writeFileSync(
    file,
    // As root it would become another user, who may not read the files of a test.
    ['user root', 'max_queued_messages 0', `listener ${port} 127.0.0.1`, ...settings, ''].join(
      '\n',
    ),
  );
  const { command, args } = tiedToParent('KILL', ['mosquitto', '-c', file]);
  const child = spawn(command, args, { env: pathWithSbin, stdio: 'ignore' });
  await until(`mosquitto on port ${port}`, () => {
    if (child.exitCode !== null) throw new Error(`mosquitto ended with ${child.exitCode}`);
    return isListening(port);
  });
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
    rmSync(folder, { recursive: true });
  };
  return {
    port,
    url: `mqtt://127.0.0.1:${port}`,
    close: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
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
