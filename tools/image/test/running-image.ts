import { join, resolve } from 'node:path';
import { RunningProcess } from '@engawa/embedded';
import { ListeningPorts, until } from '@engawa/testing';

export const workspace = resolve(__dirname, '../../..');

export interface BuiltProcess {
  /** Its log, oldest line first. */
  logged: Record<string, unknown>[];
  ports: ListeningPorts;
  pid: number;
  /** Its exit code. */
  ended: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

/** Runs the entry point of a tree. @param environment all of it, except for PATH */
export function runBuilt(
  folder: string,
  args: string[],
  environment: Record<string, string>,
): BuiltProcess {
  const [logged, ports]: [Record<string, unknown>[], ListeningPorts] = [[], new ListeningPorts()];
  const running = new RunningProcess({
    name: args.join(' '),
    command: [process.execPath, join(folder, 'entrypoint.js'), ...args],
    cwd: '/',
    environment,
    onLine: (text) => {
      const isJson = text.startsWith('{');
      logged.push(isJson ? (JSON.parse(text) as Record<string, unknown>) : { msg: text });
      if (isJson) ports.write(text);
    },
  });
  const { pid, exited: ended } = running;
  return { logged, ports, pid, ended, kill: (signal) => running.signal(signal) };
}

/** Waits until a service has said that it is ready. */
export async function untilReady(what: string, url: () => string): Promise<void> {
  await until(`${what} to be ready`, async () => {
    try {
      return (await fetch(`${url()}/readyz`)).ok;
    } catch {
      return false;
    }
  });
}
