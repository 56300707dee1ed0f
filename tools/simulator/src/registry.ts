const requestMilliseconds = 5000;

/** The registry refused the request permanently: a retry does not help. */
export class RegistryRejection extends Error {
  override readonly name = 'RegistryRejection';
}

/** The used part of the registry's API. Its methods reject with RegistryRejection, or with a temporary error. */
export class Registry {
  readonly #url: string;
  readonly #signal: AbortSignal;

  constructor(url: string, signal: AbortSignal) {
    this.#url = url;
    this.#signal = signal;
  }

  /** Creates the missing objects; existing ones, which users may have changed, are kept. */
  async create(path: string, things: readonly object[]): Promise<void> {
    const lines = things.map((thing) => `${JSON.stringify(thing)}\n`).join('');
    const answer = await this.#ask('POST', path, 'application/x-ndjson', lines);
    const { errors } = (await answer.json()) as { errors: unknown[] };
    if (errors.length > 0)
      throw new RegistryRejection(`POST ${path}: ${JSON.stringify(errors[0])}`);
  }

  /** Places a device since a time, unless it has been moved later. */
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
    const isLater = answer.headers.has('retry-after');
    // A conflict with a later placement: a user has moved the device.
    if (answer.ok || (status === 409 && !isLater)) return answer;
    await answer.body?.cancel();
    const problem = `${method} ${path}: HTTP ${status}`;
    // Rate limit, a lost lock or not ready: temporary.
    throw isLater || status === 429 || status >= 500
      ? new Error(problem)
      : new RegistryRejection(problem);
  }
}
