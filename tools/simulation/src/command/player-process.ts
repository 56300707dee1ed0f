import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import type { Plan } from '../plan.ts';
import type { PlayedRun } from './played-run.ts';

const player = join(import.meta.dirname, '../player.ts');
/** Number of runs after which a new process replaces the child process, to free memory. */
const worldsEach = 50;

/** A child process that simulates one world at a time. */
export class PlayerProcess {
  readonly #undo: string | undefined;
  #child: ChildProcess | undefined;
  #played = 0;

  constructor(undo: string | undefined) {
    this.#undo = undo;
  }

  /** @throws Error if the process exits before it returns the outcome */
  async play(plan: Plan): Promise<PlayedRun> {
    if (this.#played++ % worldsEach === 0) await this.#begin();
    this.#child?.send(plan);
    return (await this.#message()) as PlayedRun;
  }

  end(): void {
    this.#child?.disconnect();
    this.#child?.kill();
    this.#child = undefined;
  }

  async #begin(): Promise<void> {
    this.end();
    this.#child = fork(player, this.#undo === undefined ? [] : [this.#undo]);
    await this.#message();
  }

  async #message(): Promise<unknown> {
    const child = this.#child;
    if (child === undefined) throw new Error('the player process has exited');
    const ending = new AbortController();
    const { signal } = ending;
    try {
      const ended = once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`a player process exited with code ${String(code)}; its output is above`);
      });
      const [message] = (await Promise.race([once(child, 'message', { signal }), ended])) as [
        unknown,
      ];
      return message;
    } finally {
      ending.abort();
    }
  }
}
