import { Interrupted } from '../interrupted.ts';
import { Births } from './births.ts';
import type { BirthStore } from './birth-store.ts';
import type { BirthChange } from './known-birth.ts';

/** The births that a message needs, in addition to those of the node. */
export interface BirthSelection {
  /** `<group>/<node>`. */
  node: string;
  /** Empty for the node itself. */
  device: string;
  allDevices?: boolean;
}

/** Births in memory. They are read from the table when first needed, and stored when they change. */
export class BirthMemory {
  readonly births: Births;
  readonly #store: BirthStore | undefined;
  /** By node: resolves when all waiting messages have been decoded. */
  readonly #queues = new Map<string, Promise<unknown>>();

  /** @param store without it births are only in memory */
  constructor(store: BirthStore | undefined) {
    this.#store = store;
    this.births = new Births(undefined, (birth) => {
      this.save({ birth, evicted: [] }).catch(() => undefined); // the stored birth stays valid for 30 more days
    });
  }

  /**
   * Runs the work with these births in memory: at once if they are, otherwise after waiting messages of the same node,
   * so that its messages are decoded in order.
   * @throws Interrupted when the service closes first
   */
  run<Result>(wanted: BirthSelection, work: () => Result): Result | Promise<Result> {
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

  /** Resolves once the change is durable. */
  async save(change: BirthChange): Promise<void> {
    await this.#store?.save(change);
  }

  async #inTurn<Result>(
    before: Promise<unknown> | undefined,
    store: BirthStore,
    wanted: BirthSelection,
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
   * Stored births cannot be read, and no retry changes that: nothing is known until the next birth, so that messages
   * are refused rather than left unacknowledged. The births are read again after the next connection to the broker.
   */
  #forget({ node, device, allDevices = false }: BirthSelection): void {
    const { births } = this;
    births.missed(node, '', Date.now());
    for (const each of ['', device]) births.setLoaded(node, each);
    if (allDevices) births.setLoaded(node);
  }

  #isLoaded({ node, device, allDevices = false }: BirthSelection): boolean {
    const { births } = this;
    if (!births.isLoaded(node, '')) return false;
    return births.isLoaded(node) || (!allDevices && births.isLoaded(node, device));
  }

  async #load(store: BirthStore, wanted: BirthSelection): Promise<void> {
    const { node, device, allDevices = false } = wanted;
    const { births } = this;
    // All births are read before any is added to memory: an eviction could remove the first of them.
    const devices = new Set(['', ...(allDevices ? [] : [device])]);
    const missing = [...devices].filter((each) => !births.isLoaded(node, each));
    const [stored, ofAll] = await Promise.all([
      Promise.all(missing.map(async (each) => [each, await store.load(node, each)] as const)),
      allDevices && !births.isLoaded(node) ? store.loadDevices(node) : undefined,
    ]);
    for (const [each, found] of stored) {
      births.fill(node, each, found);
      births.setLoaded(node, each);
    }
    if (ofAll === undefined) return;
    for (const [each, found] of ofAll) births.fill(node, each, found);
    births.setLoaded(node);
  }
}
