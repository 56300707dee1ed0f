import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ChildProcess } from 'node:child_process';
import type { CallResult, Call, Methods } from './serve.ts';

type Input<Method> = Method extends (input: infer Value) => unknown ? Value : never;
type Result<Method> = Method extends (input: never) => Promise<infer Value> ? Value : never;

/**
 * A part of the bench in a separate process, so that its CPU is measured separately. `Known` are
 * the methods that the file in `children/` serves, `Ready` is the value that it sends when it can
 * be called.
 */
export class Worker<Known extends Methods<keyof Known & string>, Ready = unknown> {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #calls = 0;
  ready!: Ready;

  /** @param file in `children/`, without extension */
  static async start<Known extends Methods<keyof Known & string>, Ready = unknown>(
    file: string,
    argument: unknown = {},
    nodeOptions: readonly string[] = [],
  ): Promise<Worker<Known, Ready>> {
    const path = fileURLToPath(new URL(`children/${file}.ts`, import.meta.url));
    const child = fork(path, [JSON.stringify(argument)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      execArgv: [...nodeOptions],
    });
    const worker = new Worker<Known, Ready>(child);
    const failed = once(child, 'exit').then(() => {
      throw new Error(`${file} ended before it was ready`);
    });
    const [message] = (await Promise.race([once(child, 'message'), failed])) as [{ ready: Ready }];
    failed.catch(() => undefined);
    worker.ready = message.ready;
    child.on('message', (answer) => worker.#answered(answer as CallResult));
    return worker;
  }

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.once('exit', () => {
      const error = new Error('a part of the bench has ended');
      for (const { reject } of this.#waiting.values()) reject(error);
    });
  }

  call<Name extends keyof Known & string>(
    name: Name,
    input: Input<Known[Name]>,
  ): Promise<Result<Known[Name]>> {
    const waiting = Promise.withResolvers<unknown>();
    const call: Call = { id: (this.#calls += 1), name, input };
    this.#waiting.set(call.id, waiting);
    this.#child.send(call);
    return waiting.promise as Promise<Result<Known[Name]>>;
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.disconnect();
    await gone;
  }

  #answered({ id, result, error }: CallResult): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(error));
  }
}
