import { Interrupted } from '../interrupted.ts';
import { Births } from './births.ts';
import type { BirthStore } from './birth-store.ts';
import type { BirthChange } from './known-birth.ts';

/** Whose births a message needs, beside those of the node. */
export interface Wanted {
  /** `<group>/<node>`. */
  node: string;
  /** Empty for the node itself. */
  device: string;
  allDevices?: boolean;
}

/** Births in memory, read from the table when they are needed first, and stored when they change. */
export class BirthMemory {
  readonly births: Births;
  readonly #store: BirthStore | undefined;
  /** By node: resolves when the messages so far that had to wait are decoded. */
  readonly #queues = new Map<string, Promise<unknown>>();

  /** @param store without it births are in memory only */
  constructor(store: BirthStore | undefined) {
    this.#store = store;
    this.births = new Births(undefined, (birth) => {
      this.save({ birth, evicted: [] }).catch(() => undefined); // it is kept for 30 days more as it is
    });
  }

  /**
   * Does the work with these births in memory: at once where they are there, else behind what waits for the same node, so
   * that its messages are decoded in their order.
   * @throws Interrupted when the service closes first
   */
  run<Result>(wanted: Wanted, work: () => Result): Result | Promise<Result> {
    const { node } = wanted;
    const before = this.#queues.get(node);
    if (this.#store === undefined || (before === undefined && this.#isLoaded(wanted)))
      return work();
    const turn = this.#inTurn(before, this.#store, wanted, work);
    const ended: Promise<unknown> = turn
      .catch(() => undefined)
      .then(() => {
        if (this.#queues.get(node) === ended) this.#queues.delete(node);
      });
    this.#queues.set(node, ended);
    return turn;
  }

  /** Resolves once it is durable. */
  async save(change: BirthChange): Promise<void> {
    await this.#store?.save(change);
  }

  async #inTurn<Result>(
    before: Promise<unknown> | undefined,
    store: BirthStore,
    wanted: Wanted,
    work: () => Result,
  ): Promise<Result> {
    await before;
    try {
      await this.#load(store, wanted);
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      this.#forget(wanted);
    }
    return work();
  }

  /**
   * What is stored cannot be read, which no retry changes: nothing is known until the next birth, so that messages are refused
   * rather than left unacknowledged. It is read again after the next connection to the broker.
   */
  #forget({ node, device, allDevices = false }: Wanted): void {
    const { births } = this;
    births.missed(node, '', Date.now());
    for (const each of ['', device]) births.setLoaded(node, each);
    if (allDevices) births.setLoaded(node);
  }

  #isLoaded({ node, device, allDevices = false }: Wanted): boolean {
    const { births } = this;
    if (!births.isLoaded(node, '')) return false;
    return births.isLoaded(node) || (!allDevices && births.isLoaded(node, device));
  }

  async #load(store: BirthStore, wanted: Wanted): Promise<void> {
    const { node, device, allDevices = false } = wanted;
    const { births } = this;
    // All at the same time, and only then into memory: what is evicted there meanwhile could be what was read first.
    const devices = new Set(['', ...(allDevices ? [] : [device])]);
    const missing = [...devices].filter((each) => !births.isLoaded(node, each));
    const [stored, ofAll] = await Promise.all([
      Promise.all(missing.map((each) => store.load(node, each))),
      allDevices && !births.isLoaded(node) ? store.loadDevices(node) : undefined,
    ]);
    for (const [index, each] of missing.entries()) {
      births.fill(node, each, stored[index] ?? []);
      births.setLoaded(node, each);
    }
    if (ofAll === undefined) return;
    for (const [each, found] of ofAll) births.fill(node, each, found);
    births.setLoaded(node);
  }
}
