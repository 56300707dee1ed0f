import { EventEmitter } from 'node:events';
import { scheduleHere } from './current-world.ts';

/** The code of a thread: receives messages, and responds with `reply`. */
export type ThreadBody = (
  data: unknown,
  reply: (message: unknown) => void,
) => (message: unknown, exit: () => void) => void;

const bodies = new Map<string, ThreadBody>();

/** Registers the code that runs instead of the thread file with this name (without its folder). */
export function registerThread(file: string, body: ThreadBody): void {
  bodies.set(file.replace(/\.[jt]s$/, ''), body);
}

/** Replaces `Worker` of `node:worker_threads`: its code runs in the world, with one event per message. */
export class VirtualWorker extends EventEmitter {
  readonly #take: (message: unknown, exit: () => void) => void;
  #hasExited = false;

  constructor(entry: URL, { workerData }: { workerData?: unknown } = {}) {
    super();
    const file = entry.pathname.split('/').at(-1) ?? '';
    const body = bodies.get(file.replace(/\.[jt]s$/, ''));
    if (body === undefined) throw new Error(`no code is registered for the thread ${file}`);
    this.#take = body(workerData, (message) => {
      scheduleHere(0, 'message of a thread', () => this.emit('message', message));
    });
  }

  postMessage(message: unknown): void {
    scheduleHere(0, 'message to a thread', () => {
      if (!this.#hasExited) this.#take(message, () => this.#exit());
    });
  }

  terminate(): Promise<number> {
    this.#exit();
    return Promise.resolve(0);
  }

  ref(): void {
    // A virtual thread does not keep the process alive.
  }

  unref(): void {
    // A virtual thread does not keep the process alive.
  }

  #exit(): void {
    if (this.#hasExited) return;
    this.#hasExited = true;
    scheduleHere(0, 'end of a thread', () => this.emit('exit', 0));
  }
}
