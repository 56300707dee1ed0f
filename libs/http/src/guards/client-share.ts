/**
 * Maximum number of slots of one client for each free slot. With 2, a single client has two thirds of all slots, two
 * clients have two fifths each, and a new client always finds a free slot (dynamic thresholds: Choudhury and Hahne,
 * 1998).
 */
const shareOfFree = 2;

/** Whether a client that has `own` slots may take another one, of which `free` are left. */
export function isWithinShare(own: number, free: number): boolean {
  return own < shareOfFree * free;
}

/** Counts the slots of each client. */
export class ClientCounts {
  readonly #counts = new Map<string, number>();

  of(client: string): number {
    return this.#counts.get(client) ?? 0;
  }

  add(client: string): void {
    this.#counts.set(client, this.of(client) + 1);
  }

  remove(client: string): void {
    const left = this.of(client) - 1;
    if (left > 0) this.#counts.set(client, left);
    else this.#counts.delete(client);
  }
}
