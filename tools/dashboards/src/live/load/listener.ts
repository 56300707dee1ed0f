import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between two connections. */
const retryMs = 100;

/** A connection to the live feed of ingestion that reads all events until it is closed. */
export class Listener {
  readonly #closing = new AbortController();

  constructor(ingestionUrl: string) {
    void this.#read(`${ingestionUrl}/v1/live`);
  }

  close(): void {
    this.#closing.abort();
  }

  async #read(url: string): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        const response = await fetch(url, { signal });
        await response.body?.pipeTo(new WritableStream(), { signal });
      } catch {
        // The listener or the service is closing; the metrics have the outcome.
      }
      await sleep(retryMs);
    }
  }
}
