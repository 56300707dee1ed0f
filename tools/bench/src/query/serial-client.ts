import { Client } from 'undici';

export interface TimedResponse {
  body: string;
  /** Milliseconds from the request to the end of the response. */
  milliseconds: number;
}

/** Sends one request after the other over one connection. */
export class SerialClient {
  readonly #client: Client;
  readonly #headers: Readonly<Record<string, string>>;

  /** @param headers of all requests */
  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.#client = new Client(url);
    this.#headers = headers;
  }

  /** @throws Error for any status but 200 */
  async ask(path: string): Promise<TimedResponse> {
    const start = performance.now();
    const answer = await this.#client.request({ method: 'GET', path, headers: this.#headers });
    const body = await answer.body.text();
    const milliseconds = performance.now() - start;
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${body}`);
    return { body, milliseconds };
  }

  /** Repeats a request. @returns the milliseconds of each */
  async askOften(path: string, count: number): Promise<number[]> {
    const times: number[] = [];
    while (times.length < count) times.push((await this.ask(path)).milliseconds);
    return times;
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}
