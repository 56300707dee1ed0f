import { createHash } from 'node:crypto';

/**
 * The last event id of each ingestion process, by a short name of its address. The composite id of a merged event is
 * `name=id,name=id`; the browser returns it as Last-Event-ID.
 */
export class FeedPosition {
  readonly #ids = new Map<string, string>();

  /** Ignores parts that are not well-formed. */
  static parse(text: string | undefined): FeedPosition {
    const position = new FeedPosition();
    for (const part of (text ?? '').split(',')) {
      const [, name, id] = /^([0-9a-f]{8})=([\w.:-]{1,128})$/.exec(part) ?? [];
      if (name !== undefined && id !== undefined) position.#ids.set(name, id);
    }
    return position;
  }

  get(name: string): string | undefined {
    return this.#ids.get(name);
  }

  set(name: string, id: string): void {
    this.#ids.set(name, id);
  }

  /** Forgets processes that are gone, so that the id stays short. */
  keepOnly(names: ReadonlySet<string>): void {
    for (const name of this.#ids.keys()) if (!names.has(name)) this.#ids.delete(name);
  }

  toString(): string {
    return [...this.#ids].map(([name, id]) => `${name}=${id}`).join(',');
  }
}

/** A short name of an address, which does not show the address itself to browsers. */
export function feedName(url: string, address: string): string {
  return createHash('sha256').update(`${url} ${address}`).digest('hex').slice(0, 8);
}
