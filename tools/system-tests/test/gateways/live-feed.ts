/** An open live feed, as its client receives it. */
export class LiveFeed {
  readonly #closing = new AbortController();
  readonly #read: Promise<void>;
  /** Everything so far. */
  text = '';
  /** Whether the server or the gateway has ended the response. */
  ended = false;

  /** Resolves when the response has begun. @throws Error for a response other than 200 */
  static async open(url: string): Promise<LiveFeed> {
    const closing = new AbortController();
    const response = await fetch(url, { signal: closing.signal });
    if (response.status !== 200 || !response.body) {
      throw new Error(`${url}: ${response.status} ${await response.text()}`);
    }
    return new LiveFeed(response.body, closing);
  }

  private constructor(body: ReadableStream<Uint8Array>, closing: AbortController) {
    this.#closing = closing;
    this.#read = this.#readAll(body);
  }

  /** The number of comments, which keep the connection open. */
  get comments(): number {
    return this.text.split('\n').filter((line) => line.startsWith(':')).length;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#read;
  }

  async #readAll(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of body) this.text += decoder.decode(chunk, { stream: true });
    } catch (error) {
      if (!this.#closing.signal.aborted) this.text += `\n${String(error)}`;
    }
    this.ended = true;
  }
}
