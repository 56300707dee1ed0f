const requestMilliseconds = 5000;

/** The registry would not do it, and will not however often it is asked. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** As much of the registry's API as the simulator needs. Its methods reject with Refused, or with what passes by itself. */
export class Registry {
  readonly #url: string;
  readonly #signal: AbortSignal;

  constructor(url: string, signal: AbortSignal) {
    this.#url = url;
    this.#signal = signal;
  }

  /** Makes those of the things that are not there; what is there may have been changed by somebody and stays as it is. */
  async create(path: string, things: readonly object[]): Promise<void> {
    const lines = things.map((thing) => `${JSON.stringify(thing)}\n`).join('');
    const answer = await this.#ask('POST', path, 'application/x-ndjson', lines);
    const { errors } = (await answer.json()) as { errors: unknown[] };
    if (errors.length > 0) throw new Refused(`POST ${path}: ${JSON.stringify(errors[0])}`);
  }

  /** Says where a device is from a time on, unless it has been moved since. */
  async place(
    device: string,
    place: string,
    where: { room?: string; since: string },
  ): Promise<void> {
    const path = `/v1/places/${place}/devices/${device}`;
    const answer = await this.#ask('PUT', path, 'application/json', JSON.stringify(where));
    await answer.body?.cancel();
  }

  async #ask(method: string, path: string, type: string, body: string): Promise<Response> {
    const answer = await fetch(new URL(path, this.#url), {
      method,
      headers: { 'content-type': type },
      signal: AbortSignal.any([this.#signal, AbortSignal.timeout(requestMilliseconds)]),
      body,
    });
    const { status } = answer;
    // A conflict with what is known of a later time: somebody has moved it.
    if (answer.ok || status === 409) return answer;
    await answer.body?.cancel();
    const problem = `${method} ${path}: HTTP ${status}`;
    // Too much at once, or not ready: that passes.
    throw status === 429 || status >= 500 ? new Error(problem) : new Refused(problem);
  }
}
