import { Worker } from 'node:worker_threads';
import { messageOf } from '@engawa/service';
import { tooManyValuesProblem } from '../full-text-problems.ts';
import { TextBuildFailed, TextIndexFull, TextIndexLost } from '../text-index.ts';
import type { TextResult } from '../text-index.ts';
import type {
  TextFailure,
  TextIndexSize,
  TextReply,
  TextRequest,
  TextWorkerData,
} from './text-messages.ts';

/** Heap of the thread: the texts of a page and their words. The index is in files and in SQLite's cache. */
const heapMb = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 };

export type StartWorker = (data: TextWorkerData) => Worker;

/** The image has JavaScript, bundled beside this module's chunk; in development Node.js runs the TypeScript sources. */
export const startTextWorker: StartWorker = (workerData) => {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const entry = new URL(`./text-worker.${extension}`, import.meta.url);
  return new Worker(entry, { workerData, resourceLimits: heapMb, name: 'full-text' });
};

type PendingRequest = PromiseWithResolvers<TextResult>;

/** The main thread's end of the worker thread: requests and their replies. */
export class TextWorkerThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, PendingRequest>();
  readonly #exited: Promise<void>;
  #requests = 0;
  #reason = 'its thread has ended';
  #size: TextIndexSize = { documents: 0, bytes: 0 };
  #isAlive = true;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (reply: TextReply) => this.#take(reply));
    worker.on('error', (error) => (this.#reason = `its thread has failed: ${messageOf(error)}`));
    this.#exited = new Promise((resolve) => {
      worker.once('exit', () => {
        this.#end();
        resolve();
      });
    });
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** From the last reply. */
  get size(): TextIndexSize {
    return this.#size;
  }

  /** @throws TextIndexLost, TextIndexFull, TextBuildFailed, Error */
  request(request: TextRequest): Promise<TextResult> {
    if (!this.#isAlive) return Promise.reject(new TextIndexLost(this.#reason));
    const id = ++this.#requests;
    const waiting: PendingRequest = Promise.withResolvers();
    this.#waiting.set(id, waiting);
    this.#worker.postMessage({ id, request });
    return waiting.promise;
  }

  /** Resolves when the thread has handled earlier requests, deleted its files and ended. */
  async close(): Promise<void> {
    if (this.#isAlive) await this.request({ kind: 'close' }).catch(() => undefined);
    await this.#exited;
  }

  #take(reply: TextReply): void {
    this.#size = reply.size;
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ('failure' in reply) waiting?.reject(errorOf(reply));
    else waiting?.resolve(reply.answer ?? { found: [] });
  }

  #end(): void {
    this.#isAlive = false;
    this.#size = { documents: 0, bytes: 0 };
    for (const { reject } of this.#waiting.values()) reject(new TextIndexLost(this.#reason));
    this.#waiting.clear();
  }
}

function errorOf({ failure, reason }: { failure: TextFailure; reason: string }): Error {
  switch (failure) {
    case 'lost':
      return new TextIndexLost(reason);
    case 'live full':
    case 'build full':
      return new TextIndexFull(reason, { live: failure === 'live full' });
    case 'build failed':
      return new TextBuildFailed(reason);
    case 'too many values':
      return tooManyValuesProblem(reason);
    case 'failed':
      return new Error(reason);
  }
}
