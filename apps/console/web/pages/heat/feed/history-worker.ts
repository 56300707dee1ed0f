/**
 * Requests histories: a response may have tens of megabytes, whose parsing would keep the page from drawing. The page
 * gets arrays, which are handed over without a copy.
 */
import { buffersOf, compactHistory } from './compact-history.ts';
import type { CompactHistory, MergedHistory } from './compact-history.ts';

export interface HistoryQuestion {
  id: number;
  path: string;
  headers: Record<string, string>;
}

/** `abort` ends the request with the id. */
export type WorkerRequest = HistoryQuestion | { abort: number };

export type HistoryAnswer = { id: number } & (
  | { status: number; history: CompactHistory }
  | { status: number; text: string }
  | { failure: string }
);

const running = new Map<number, AbortController>();

async function answer({ id, path, headers }: HistoryQuestion): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    const response = await fetch(path, { headers, signal: controller.signal });
    const { status } = response;
    const text = await response.text();
    if (!response.ok) {
      send({ id, status, text });
      return;
    }
    const history = compactHistory(JSON.parse(text) as MergedHistory);
    send({ id, status, history }, buffersOf(history));
  } catch (error) {
    send({ id, failure: error instanceof Error ? error.message : String(error) });
  } finally {
    running.delete(id);
  }
}

function send(message: HistoryAnswer, transfer: ArrayBuffer[] = []): void {
  postMessage(message, { transfer });
}

addEventListener('message', ({ data }: MessageEvent<WorkerRequest>) => {
  if ('abort' in data) running.get(data.abort)?.abort();
  else void answer(data);
});
