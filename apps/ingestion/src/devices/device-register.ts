import { deviceKey } from '@engawa/keys';
import { epochDocuments, kindOf, unlessDeleted } from '@engawa/model';
import { deviceListShards } from '@engawa/table';
import { boundedTable } from './bounded-table.ts';
import { DelayedTasks } from './delayed-tasks.ts';
import { DeviceReconciliation } from './device-reconciliation.ts';
import { DeviceUpdates } from './bookkeeping/device-updates.ts';
import { dueSeenAt, takeAhead } from './clock-ahead.ts';
import { isUsable, knownDevice, setShards, takeOverItem } from './known-device.ts';
import { loadDevices } from './load-devices.ts';
import { Registration, registrationRetryMs } from './registration.ts';
import { BlockSpanUpdates } from './block-span-updates.ts';
import type { Document, Reading } from '@engawa/model';
import type { Shards, Table } from '@engawa/table';
import type { ItemTable } from './bounded-table.ts';
import type { DeviceUpdatesOptions } from './bookkeeping/device-updates.ts';
import type { KnownDevice } from './known-device.ts';
import type { RegisteredDevice, RegistrationOptions } from './registration.ts';
import type { RetryOptions } from '../concurrency/retry-forever.ts';

export type { KnownDevice } from './known-device.ts';

export interface DeviceRegisterOptions extends RetryOptions {
  table: Table;
  admission: RegistrationOptions['admission'];
  shards: Shards;
  metrics: DeviceUpdatesOptions['metrics'];
  /** Epoch milliseconds; by default the clock of the process. */
  now?: () => number;
  /** Monotonic milliseconds. */
  steady: () => number;
}

/**
 * Limits of concurrent requests. Of the 128 sockets 64 are for batches of the writer, 16 for bookkeeping; the others
 * are for requests that readings wait for: registrations, of which there may be thousands at once, and the rest.
 */
const maxRegistrations = 32;
const maxOtherRequests = 16;

/** The devices that this process knows: read at the start, and updated by readings and requests. */
export class DeviceRegister {
  readonly #options: DeviceRegisterOptions;
  readonly #now: () => number;
  readonly #steady: () => number;
  readonly #table: ItemTable;
  readonly #registration: Registration;
  readonly #blockSpans: BlockSpanUpdates;
  readonly #reconciliation: DeviceReconciliation;
  readonly #updates: DeviceUpdates;
  readonly #known = new Map<string, KnownDevice>();
  readonly #admissions = new Map<string, Promise<KnownDevice>>();
  /** Devices whose registration waits until a former device of the same id has been purged. */
  readonly #deferred: DelayedTasks;
  #isLoaded = false;

  constructor(options: DeviceRegisterOptions) {
    const { table, now = Date.now, steady } = options;
    const listShards = () => deviceListShards(options.shards);
    this.#options = options;
    this.#now = now;
    this.#steady = steady;
    this.#table = boundedTable(table, maxOtherRequests);
    this.#deferred = new DelayedTasks(registrationRetryMs, options.signal);
    const bounded = boundedTable(table, maxRegistrations);
    this.#registration = new Registration({ ...options, table: bounded, listShards });
    this.#blockSpans = new BlockSpanUpdates({ ...options, table: this.#table });
    this.#reconciliation = new DeviceReconciliation({
      ...options,
      table: this.#table,
      blockSpans: this.#blockSpans,
    });
    const onItem = this.#learn.bind(this);
    const onDeleted = this.#forget.bind(this);
    this.#updates = new DeviceUpdates({ ...options, listShards, now, onItem, onDeleted });
  }

  /** Reads the list of devices, and retries while the table is unavailable. Rejects when the service closes. */
  async load(): Promise<void> {
    const { log } = this.#options;
    for await (const device of loadDevices(this.#options)) this.#remember(device);
    this.#isLoaded = true;
    log.info({ devices: this.#known.size }, 'device list loaded');
  }

  /** Whether the list of devices has been read: without it, known devices would be registered again. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** Undefined for unknown devices, and for devices whose item was read too long ago: `admit` reads it again. */
  find(id: string): KnownDevice | undefined {
    const device = this.#known.get(id);
    if (device === undefined) return undefined;
    device.receivedAt = this.#steady();
    return isUsable(device, device.receivedAt) ? device : undefined;
  }

  /** All known devices. */
  all(): Iterable<KnownDevice> {
    return this.#known.values();
  }

  /**
   * Registers a device, with its id as name, and the kind that its first reading indicates. Reads the item of a known
   * device again.
   * @throws Rejection when new devices are not admitted, or the table rejects the device
   */
  admit(id: string, first: Reading, sentAt = first.time): Promise<KnownDevice> {
    return this.#admitOnce(id, async () => {
      const known = this.#known.get(id);
      if (known !== undefined) return this.#readAgain(known);
      if (this.#options.admission === 'closed') {
        return this.#remember(await this.#registration.lookUp(id));
      }
      const lastSeenAt = Math.min(sentAt, this.#now());
      const found = { id, kind: kindOf(first.fields), lastSeenAt };
      return this.#remember(await this.#registration.register(found));
    });
  }

  /**
   * To be called before writing a block of this span (seconds): readers use the block span to find the block.
   * @throws ItemRejected when the table rejects the update
   */
  raiseBlockSpan(device: KnownDevice, blockSpan: number): Promise<void> {
    return this.#blockSpans.raise(device, blockSpan);
  }

  /**
   * Updates last seen in the background, once an hour: when the device sent a message, not the time of its readings. A
   * device whose clock is wrong would seem to be silent, or to be sending after it has stopped.
   */
  seen(device: KnownDevice, sentAt: number): void {
    const seenAt = dueSeenAt(device, sentAt, this.#now());
    if (seenAt === undefined) return;
    device.lastSeenAt = seenAt; // at once, so that blocks written meanwhile do not update it too
    this.#updates.add({ device, seenAt, ...takeAhead(device) });
  }

  /** Takes the kind that the readings indicate, if none is known, and updates the item in the background. */
  refineKind(device: KnownDevice, readings: readonly Reading[]): void {
    if (device.kind !== 'other' || device.isKindNamed) return;
    for (const { fields } of readings) {
      const kind = kindOf(fields);
      if (kind === 'other') continue;
      device.kind = kind;
      this.#updates.add({ device, kind });
      return;
    }
  }

  /** Reads the device's item again, with one attempt: the device may have been moved. */
  async refresh(device: KnownDevice): Promise<void> {
    const item = unlessDeleted(await this.#table.get(deviceKey(device.id)));
    if (item === undefined) device.place = undefined;
    else this.#learn(device, item);
  }

  /**
   * The table was created again: the items of all devices are read or written again before further readings are stored.
   * Devices with readings in the last `forMs` milliseconds are registered at once: the new table may have the readings.
   */
  tableReplaced(forMs: number): void {
    const since = this.#steady() - forMs;
    for (const device of [...this.#known.values()]) {
      device.readAt = -Infinity;
      if (device.receivedAt >= since) this.#learn(device, undefined);
    }
  }

  /** Adds missing shards and the block span to the item, which readers need to find the device's readings. */
  reconcile(device: KnownDevice, item: Document): Promise<void> {
    return this.#reconciliation.reconcile(device, item);
  }

  /** Writes the pending bookkeeping, until the signal aborts. */
  close(signal: AbortSignal): Promise<void> {
    return this.#updates.close(signal);
  }

  /** Called with an item that has been read or written. Adopts its state, and reconciles it in the background. */
  #learn(device: KnownDevice, item: Document | undefined): void {
    if (item === undefined) {
      this.#reconciliation.inBackground(device, () => this.#returned(device));
    } else if (!this.#takeOver(device, item)) {
      this.#reconciliation.inBackground(device, () => this.reconcile(device, item));
    }
  }

  /** @returns whether the item lists all shards and the block span */
  #takeOver(device: KnownDevice, item: Document): boolean {
    return takeOverItem(device, item, { wall: this.#now(), steady: this.#steady() });
  }

  async #readAgain(device: KnownDevice): Promise<KnownDevice> {
    const { id } = device;
    const item = await this.#registration.read(id, { consistent: true });
    if (item !== undefined) {
      if (!this.#takeOver(device, item)) await this.reconcile(device, item);
      return device;
    }
    this.#known.delete(id);
    if (this.#options.admission !== 'closed') return this.#registerAgain(device);
    return this.#remember(await this.#registration.lookUp(id));
  }

  /** The device was deleted and sends readings again. If new devices are not admitted, they are refused. */
  async #returned(device: KnownDevice): Promise<void> {
    this.#forget(device);
    if (this.#options.admission === 'closed') return;
    await this.#admitOnce(device.id, () => this.#registerAgain(device));
  }

  /** Registers a deleted device again, with the block span and the shards of the blocks stored since its deletion. */
  async #registerAgain(device: KnownDevice): Promise<KnownDevice> {
    const again = this.#remember(await this.#registration.register(device));
    const { blockSpan: span, shards } = again;
    again.blockSpan = Math.max(span, device.blockSpan);
    setShards(again, device.shards);
    await this.reconcile(again, { span, shards: epochDocuments(shards) });
    return again;
  }

  /** The next reading of the device registers it. */
  #forget(device: KnownDevice): void {
    if (this.#known.get(device.id) === device) this.#known.delete(device.id);
  }

  #admitOnce(id: string, admit: () => Promise<KnownDevice>): Promise<KnownDevice> {
    const running = this.#admissions.get(id);
    if (running !== undefined) return running;
    const admission = admit().finally(() => this.#admissions.delete(id));
    this.#admissions.set(id, admission);
    return admission;
  }

  #remember({ device, isListed, isBeingDeleted = false }: RegisteredDevice): KnownDevice {
    const known = knownDevice(device, this.#steady());
    this.#known.set(device.id, known);
    const seenAt = Math.min(device.lastSeenAt, this.#now());
    // Its readings are stored meanwhile: readings with a time after the deletion are kept (docs/adr/0043).
    const retry = () => this.#learn(this.#known.get(device.id) ?? known, undefined);
    if (isBeingDeleted) this.#deferred.add(device.id, retry);
    else if (!isListed) this.#updates.add({ device: known, seenAt, listAs: device.name });
    return known;
  }
}
