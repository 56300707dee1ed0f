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
  /** Bounded: thousands of devices may be new at once. */
  table: ItemTable;
  /** The status of a device never seen before; `closed`: no new devices are taken. */
  admission: 'auto' | 'pending' | 'closed';
  listShards: () => ListShards;
}

/** What is known of a device that is not in the table. */
type Found = Pick<Device, 'id' | 'kind' | 'lastSeenAt'>;

/** A device as the table has it now. */
export interface Registered {
  device: Device;
  /** Whether it is in the device lists. */
  isListed: boolean;
  /** Its id is being deleted: it is in the table only when it is registered after that. */
  isBeingDeleted?: boolean;
}

/** Milliseconds between two attempts to register a device whose id is still being deleted. */
export const registrationRetryMs = 5000;

/** Milliseconds for which new devices are written without index keys after a throttled attempt with them. */
const unlistedMs = 10_000;

/** Puts devices that are new. */
export class Registration {
  readonly #options: RegistrationOptions;
  #createsUnlistedUntil = -Infinity;

  constructor(options: RegistrationOptions) {
    this.#options = options;
  }

  /**
   * One conditional UpdateItem, retried until the table takes it. DynamoDB throttles a write when one of its index keys is
   * throttled: then the device is written without them, into its own partition alone, and is to be listed later.
   * @throws Rejection when the table refuses the item
   */
  async register({ id, kind, lastSeenAt }: Found): Promise<Registered> {
    const { admission, log } = this.#options;
    const asked: NewDevice = {
      id,
      name: id,
      kind,
      status: admission === 'pending' ? 'pending' : 'active',
      registeredAt: Date.now(),
      lastSeenAt,
      version: 1,
    };
    try {
      const registered = await retryForever(() => this.#create(asked), this.#options);
      log.info({ device: id, kind }, 'device registered');
      return registered;
    } catch (error) {
      if (error instanceof ItemRejected) throw new Rejection('refused_by_table', error.message);
      // Another replica was first, or an answer to this one was lost.
      if (!(error instanceof ConditionFailed) || error.item === undefined) throw error;
      if (tombstoneOf(error.item) !== undefined) {
        return { device: { ...asked, span: 0 }, isListed: false, isBeingDeleted: true };
      }
      return { device: parseDevice(error.item), isListed: isListed(error.item) };
    }
  }

  /**
   * A device that somebody has registered since the list was read.
   * @throws Rejection when there is no such device
   */
  async lookUp(id: string): Promise<Registered> {
    const item = await this.read(id, { consistent: false });
    if (item === undefined) throw new Rejection('not_admitted', 'the device is not registered');
    return { device: parseDevice(item), isListed: isListed(item) };
  }

  /** One GetItem, retried until the table answers; undefined where there is no such device. */
  async read(id: string, options: { consistent: boolean }): Promise<Document | undefined> {
    const read = () => this.#options.table.get(deviceKey(id), options);
    return unlessDeleted(await retryForever(read, this.#options));
  }

  async #create(device: NewDevice): Promise<Registered> {
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
