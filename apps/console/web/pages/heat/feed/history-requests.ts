import { ProblemError } from '@engawa/client';
import { authorized } from '../../../api/client.ts';
import type { CompactHistory } from './compact-history.ts';
import type { HistoryAnswer, WorkerRequest } from './history-worker.ts';

/** Milliseconds of an attempt, as of the client of the services. */
const timeoutMs = 30_000;

/** Requests histories in a worker. */
export class HistoryRequests {
  readonly #worker = new Worker(new URL('./history-worker.ts', import.meta.url), {
    type: 'module',
  });
  readonly #pending = new Map<number, (answer: HistoryAnswer) => void>();
  #lastId = 0;

  constructor() {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<HistoryAnswer>) => {
      this.#pending.get(data.id)?.(data);
    });
    this.#worker.addEventListener('error', ({ message }) => {
      for (const [id, resolve] of this.#pending) resolve({ id, failure: message });
    });
  }

  close(): void {
    this.#worker.terminate();
  }

  /**
   * @param path of the page's origin
   * @throws ProblemError for a response of status 400 or above
   * @throws TypeError where the connection fails, or the response is no history
   */
  async get(path: string, closed: AbortSignal): Promise<CompactHistory> {
    const attempt = (headers: Record<string, string>) =>
      this.#ask({ path, headers }, AbortSignal.any([closed, AbortSignal.timeout(timeoutMs)]));
    const answer = await authorized(attempt, closed);
    if ('history' in answer) return answer.history;
    throw new ProblemError(answer.status, problemIn(answer.text));
  }

  async #ask(
    question: { path: string; headers: Record<string, string> },
    signal: AbortSignal,
  ): Promise<Exclude<HistoryAnswer, { failure: string }>> {
    signal.throwIfAborted();
    const id = (this.#lastId += 1);
    const { promise, resolve, reject } = Promise.withResolvers<HistoryAnswer>();
    const abort = (): void => {
      this.#post({ abort: id });
      reject(signal.reason as Error);
    };
    this.#pending.set(id, resolve);
    signal.addEventListener('abort', abort);
    this.#post({ id, ...question });
    try {
      const answer = await promise;
      if ('failure' in answer) throw new TypeError(answer.failure);
      return answer;
    } finally {
      this.#pending.delete(id);
      signal.removeEventListener('abort', abort);
    }
  }

  #post(request: WorkerRequest): void {
    this.#worker.postMessage(request);
  }
}

/** The members of a problem response; those of a proxy may have another format. */
function problemIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Not JSON.
  }
  return { detail: text.slice(0, 200) };
}
