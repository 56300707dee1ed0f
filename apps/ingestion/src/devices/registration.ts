import { deviceKey } from '@engawa/keys';
import { isListed, parseDevice, tombstoneOf, unlessDeleted } from '@engawa/model';
import { ConditionFailed, createDevice, ItemRejected } from '@engawa/table';
import { isThrottled } from './is-transient.ts';
import { retryForever } from '../concurrency/retry-forever.ts';
import { Rejection } from '../refusals/rejection.ts';
import type { Device, Document, ListShards } from '@engawa/model';
import type { NewDevice } from '@engawa/table';
import type { RetryOptions } from '../concurrency/retry-forever.ts';
import type { ItemTable } from './bounded-table.ts';

export interface RegistrationOptions extends RetryOptions {
  /** With limited concurrency: thousands of devices may be new at once. */
  table: ItemTable;
  /** Status of a device that was never seen before; `closed`: new devices are not admitted. */
  admission: 'auto' | 'pending' | 'closed';
  listShards: () => ListShards;
}

/** The state of a device that is not in the table. */
type UnregisteredDevice = Pick<Device, 'id' | 'kind' | 'lastSeenAt'>;

/** A device as in the table. */
export interface RegisteredDevice {
  device: Device;
  /** Whether it is in the device lists. */
  isListed: boolean;
  /** The id is being deleted: the device is not in the table until a later registration. */
  isBeingDeleted?: boolean;
}

/** Milliseconds between attempts to register a device whose id is being deleted. */
export const registrationRetryMs = 5000;

/** Milliseconds for which new devices are written without index keys after an attempt with them was throttled. */
const unlistedMs = 10_000;

/** Registers new devices. */
export class Registration {
  readonly #options: RegistrationOptions;
  #createsUnlistedUntil = -Infinity;

  constructor(options: RegistrationOptions) {
    this.#options = options;
  }

  /**
   * One conditional UpdateItem, retried until it succeeds. DynamoDB throttles a write when one of its index keys is
   * throttled: then the device is written without index keys, to its own partition only, and listed later.
   * @throws Rejection when the table rejects the item
   */
  async register({ id, kind, lastSeenAt }: UnregisteredDevice): Promise<RegisteredDevice> {
    const { admission, log } = this.#options;
    const newDevice: NewDevice = {
      id,
      name: id,
      kind,
      status: admission === 'pending' ? 'pending' : 'active',
      registeredAt: Date.now(),
      lastSeenAt,
      version: 1,
    };
    try {
      const registered = await retryForever(() => this.#create(newDevice), this.#options);
      log.info({ device: id, kind }, 'device registered');
      return registered;
    } catch (error) {
      if (error instanceof ItemRejected)
        throw new Rejection('table-rejects', { message: error.message });
      // Another replica was first, or the response to this one was lost.
      if (!(error instanceof ConditionFailed) || error.item === undefined) throw error;
      if (tombstoneOf(error.item) !== undefined) {
        return { device: { ...newDevice, span: 0 }, isListed: false, isBeingDeleted: true };
      }
      return { device: parseDevice(error.item), isListed: isListed(error.item) };
    }
  }

  /**
   * Reads a device that was registered after the list of devices was read.
   * @throws Rejection when there is no such device
   */
  async lookUp(id: string): Promise<RegisteredDevice> {
    const item = await this.read(id, { consistent: false });
    if (item === undefined) throw new Rejection('device-not-registered');
    return { device: parseDevice(item), isListed: isListed(item) };
  }

  /** One GetItem, retried until it succeeds; undefined if there is no such device. */
  async read(id: string, options: { consistent: boolean }): Promise<Document | undefined> {
    const read = () => this.#options.table.get(deviceKey(id), options);
    return unlessDeleted(await retryForever(read, this.#options));
  }

  async #create(device: NewDevice): Promise<RegisteredDevice> {
    const { table, listShards } = this.#options;
    if (performance.now() >= this.#createsUnlistedUntil) {
      try {
        const lists = listShards();
        return { device: await createDevice(table, device, { lists }), isListed: true };
      } catch (error) {
        if (!isThrottled(error)) throw error;
        this.#createsUnlistedUntil = performance.now() + unlistedMs;
      }
    }
    return { device: await createDevice(table, device), isListed: false };
  }
}
