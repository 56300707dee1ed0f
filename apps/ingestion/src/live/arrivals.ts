import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Reading } from '@engawa/model';
import type { DeviceLocations, VisibleLocation } from './device-locations.ts';

export interface ArrivalsOptions {
  locations: Pick<DeviceLocations, 'of'>;
  /** Called with each reading of a visible device, in the order of arrival. */
  publish: (device: string, reading: Reading, location: NonNullable<VisibleLocation>) => void;
  /** Called after the readings of one turn of the event loop are published. */
  endTurn: () => void;
  /** Resolves when later readings may be published. */
  pause: () => Promise<unknown>;
  /** Called when readings are dropped: too many arrive, or their devices cannot be read. */
  onDropped: (reason: unknown) => void;
}

interface StoredPack {
  device: string;
  readings: readonly Reading[];
}

/** Maximum readings that wait until the locations of their devices are known. */
const maxWaiting = 10_000;
/** Readings that are published in one turn of the event loop, in which no message is acknowledged. */
const readingsPerTurn = 200;
/** Packs whose devices are looked up together: at most one BatchGetItem. */
const packsAtOnce = 100;

/** Durable readings on their way to the listeners, outside of the path of a message. */
export class Arrivals {
  readonly #options: ArrivalsOptions;
  #packs: StoredPack[] = [];
  #readings = 0;
  #work: Promise<void> | undefined;

  constructor(options: ArrivalsOptions) {
    this.#options = options;
  }

  add(device: string, readings: readonly Reading[]): void {
    // A large pack passes alone.
    if (this.#readings > 0 && this.#readings + readings.length > maxWaiting) {
      this.#options.onDropped(`more than ${maxWaiting} readings wait`);
      return;
    }
    this.#packs.push({ device, readings });
    this.#readings += readings.length;
    this.#work ??= this.#publishAll();
  }

  /** Resolves when all readings have been published. */
  get isIdle(): Promise<void> {
    return this.#work ?? Promise.resolve();
  }

  async #publishAll(): Promise<void> {
    // Not in the turn in which the block became durable: acknowledgements come first.
    await nextTurn();
    while (this.#packs.length > 0) {
      await this.#publishWaiting();
      await this.#options.pause();
    }
    // In the same turn as the last look at the packs.
    this.#work = undefined;
  }

  async #publishWaiting(): Promise<void> {
    const waiting = this.#packs.splice(0);
    for (let from = 0; from < waiting.length; from += packsAtOnce) {
      const packs = waiting.slice(from, from + packsAtOnce);
      try {
        await this.#publish(packs);
      } catch (error) {
        this.#options.onDropped(error);
      }
      for (const { readings } of packs) this.#readings -= readings.length;
      if (from + packsAtOnce < waiting.length) await nextTurn();
    }
  }

  async #publish(packs: readonly StoredPack[]): Promise<void> {
    const { locations, publish, endTurn } = this.#options;
    const found = await locations.of(new Set(packs.map(({ device }) => device)));
    let published = 0;
    for (const { device, readings } of packs) {
      const location = found.get(device);
      if (location === undefined) continue;
      for (const reading of readings) {
        publish(device, reading, location);
        published += 1;
        if (published % readingsPerTurn > 0) continue;
        endTurn();
        await nextTurn();
      }
    }
    endTurn();
  }
}
