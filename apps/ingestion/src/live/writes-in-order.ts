import type { Reading } from '@engawa/model';

/** A write of readings of one device. */
export interface DeviceWrite {
  readonly device: string;
  /** The durable readings, once the write has ended; none if it has failed. */
  readings: readonly Reading[] | undefined;
}

export interface WritesInOrderOptions {
  /** Called with the durable readings of each write, in the order in which the writes of a device have begun. */
  onStored: (device: string, readings: readonly Reading[]) => void;
  onDropped: (reason: string) => void;
}

/** Maximum readings that wait for an earlier write of their device. */
const maxHeld = 10_000;

/**
 * Restores the order of the writes of a device: concurrent requests to DynamoDB end in any order. A write that waits
 * for a throttled key delays only later writes of its own device.
 */
export class WritesInOrder {
  readonly #options: WritesInOrderOptions;
  readonly #writes = new Map<string, DeviceWrite[]>();
  #held = 0;

  constructor(options: WritesInOrderOptions) {
    this.#options = options;
  }

  begin(device: string): DeviceWrite {
    const write: DeviceWrite = { device, readings: undefined };
    const earlier = this.#writes.get(device);
    if (earlier === undefined) this.#writes.set(device, [write]);
    else earlier.push(write);
    return write;
  }

  /** @param readings that are durable */
  end(write: DeviceWrite, readings: readonly Reading[]): void {
    const { device } = write;
    const writes = this.#writes.get(device) ?? [];
    if (this.#held + readings.length > maxHeld && writes[0] !== write) {
      write.readings = [];
      this.#options.onDropped(`more than ${maxHeld} readings wait for earlier writes`);
      return;
    }
    write.readings = readings;
    this.#held += readings.length;
    for (let [first] = writes; first?.readings !== undefined; [first] = writes) {
      writes.shift();
      this.#held -= first.readings.length;
      if (first.readings.length > 0) this.#options.onStored(device, first.readings);
    }
    if (writes.length === 0) this.#writes.delete(device);
  }
}
