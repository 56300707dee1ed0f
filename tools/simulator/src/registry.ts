const requestMilliseconds = 5000;

/** The registry would not do it, and will not however often it is asked. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** What a device is in the registry, as far as it matters here. */
export interface KnownDevice {
  name: string;
  place?: string;
}

/** As much of the registry's API as the simulator needs. Its methods reject with Refused, or with what passes by itself. */
export class Registry {
  readonly #url: string;
  readonly #signal: AbortSignal;

  constructor(url: string, signal: AbortSignal) {
    this.#url = url;
    this.#signal = signal;
  }

  async device(id: string): Promise<KnownDevice | undefined> {
    const answer = await this.#ask('GET', `/v1/devices/${encodeURIComponent(id)}`);
    return answer.status === 404 ? undefined : ((await answer.json()) as KnownDevice);
  }

  /** Leaves alone what is there: somebody may have changed it. */
  async create(path: string, body: object): Promise<void> {
    const answer = await this.#ask('PUT', path, body, { 'if-none-match': '*' });
    await answer.body?.cancel();
  }

  async change(method: 'PUT' | 'PATCH', path: string, body: object): Promise<void> {
    const answer = await this.#ask(method, path, body);
    await answer.body?.cancel();
    if (answer.status === 404) throw new Refused(`${method} ${path}: HTTP 404`);
  }

  async #ask(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const answer = await fetch(new URL(path, this.#url), {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      signal: AbortSignal.any([this.#signal, AbortSignal.timeout(requestMilliseconds)]),
      ...(body && { body: JSON.stringify(body) }),
    });
    const { status } = answer;
    // There is none, or there is one already: both are answers.
    if (answer.ok || status === 404 || status === 412) return answer;
    await answer.body?.cancel();
    const problem = `${method} ${path}: HTTP ${status}`;
    // Too much at once, or not ready: that passes.
    throw status === 429 || status >= 500 ? new Error(problem) : new Refused(problem);
  }
}
