import { Decimal, UnfitNumber } from '@engawa/model';
import { UnfitValue } from '../refusals/unfit-value.ts';

/** Maximum number of values of a device, and characters of a name, time and value; others are not remembered. */
const maxValues = 16;
const maxLength = 128;

interface NamedValue {
  name: string;
  value: unknown;
}

/**
 * The last values of devices that repeat a value with its time in each message until it changes. Without this memory
 * each message would store an old reading again, and make the rollups of its hour stale.
 *
 * A value that a message before has reported needs no reading of its own: that message is acknowledged only when its
 * readings are durable or in a dead letter.
 */
export class RepeatedValues {
  /** By device; by name: the time and the value. The device that was added first is forgotten first. */
  readonly #devices = new Map<string, Map<string, string>>();
  readonly #maxDevices: number;

  constructor(maxDevices: number) {
    this.#maxDevices = maxDevices;
  }

  /** Whether the device has reported all of these values with this time last; remembers them. */
  has(device: string, time: string, values: readonly NamedValue[]): boolean {
    const known = this.#devices.get(device) ?? this.#add(device);
    let isRepeated = true;
    for (const { name, value } of values) {
      const text = textOf(value);
      const last = text === undefined ? undefined : `${time} ${text}`;
      if (last !== undefined && known.get(name) === last) continue;
      isRepeated = false;
      const fits = last !== undefined && name.length + last.length <= maxLength;
      if (fits && (known.size < maxValues || known.has(name))) known.set(name, last);
      else known.delete(name);
    }
    return isRepeated;
  }

  #add(device: string): Map<string, string> {
    const [oldest] = this.#devices.keys();
    if (this.#devices.size >= this.#maxDevices && oldest !== undefined) {
      this.#devices.delete(oldest);
    }
    const added = new Map<string, string>();
    this.#devices.set(device, added);
    return added;
  }
}

/** Of an absent value and one that cannot be stored too: a message with it would be a dead letter each time. */
function textOf(value: unknown): string | undefined {
  if (value instanceof UnfitNumber || value instanceof UnfitValue) return 'unfit';
  if (typeof value === 'object' && value !== null && !(value instanceof Decimal)) return undefined;
  return `${typeof value} ${String(value)}`;
}
