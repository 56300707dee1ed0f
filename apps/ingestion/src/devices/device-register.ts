import { deviceKey } from '@engawa/keys';
import {
  epochDocuments,
  isListed,
  kindOf,
  parseDevice,
  seenIntervalMs,
  unlessDeleted,
} from '@engawa/model';
import { deviceListShards } from '@engawa/table';
import { boundedTable } from './bounded-table.ts';
import { DelayedTasks } from './delayed-tasks.ts';
import { DeviceReconciliation } from './device-reconciliation.ts';
import { DeviceUpdates } from './bookkeeping/device-updates.ts';
import { clockSkewMs, isUsable, knownDevice, setShards, takeOverItem } from './known-device.ts';
import { loadDevices } from './load-devices.ts';
import { Registration, registrationRetryMs } from './registration.ts';
import { SpanUpdates } from './span-updates.ts';
import type { Document, Reading } from '@engawa/model';
import type { Shards, Table } from '@engawa/table';
import type { ItemTable } from './bounded-table.ts';
import type { DeviceUpdatesOptions } from './bookkeeping/device-updates.ts';
import type { KnownDevice } from './known-device.ts';
import type { Registered, RegistrationOptions } from './registration.ts';
import type { RetryOptions } from '../concurrency/retry-forever.ts';

export type { KnownDevice } from './known-device.ts';

export interface DeviceRegisterOptions extends RetryOptions {
  table: Table;
  admission: RegistrationOptions['admission'];
  shards: Shards;
  metrics: DeviceUpdatesOptions['metrics'];
  /** Epoch milliseconds; the clock of the process where it is absent. */
  now?: () => number;
  /** Monotonic milliseconds. */
  steady: () => number;
}

/**
 * Requests at the same time, of the 128 sockets that there are: 64 are for the writer's batches, 16 for bookkeeping. The
 * rest is for what readings wait for: registrations, of which there may be thousands at once, and all else.
 */
const maxRegistrations = 32;
const maxOtherRequests = 16;

/** The devices that this process knows: read once at the start, and kept up to date by what arrives. */
export class DeviceRegister {
  readonly #options: DeviceRegisterOptions;
  readonly #now: () => number;
  readonly #steady: () => number;
  readonly #table: ItemTable;
  readonly #registration: Registration;
  readonly #spans: SpanUpdates;
  readonly #reconciliation: DeviceReconciliation;
  readonly #updates: DeviceUpdates;
  readonly #known = new Map<string, KnownDevice>();
  readonly #admissions = new Map<string, Promise<KnownDevice>>();
  /** Devices whose registration waits until an earlier one of the same id has been erased. */
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
    this.#spans = new SpanUpdates({ ...options, table: this.#table });
    this.#reconciliation = new DeviceReconciliation({
      ...options,
      table: this.#table,
      spans: this.#spans,
    });
    const onItem = this.#learn.bind(this);
    const onDeleted = this.#forget.bind(this);
    this.#updates = new DeviceUpdates({ ...options, listShards, now, onItem, onDeleted });
  }

  /** Reads the list of devices, however long the table is away meanwhile; rejects when the service closes. */
  async load(): Promise<void> {
    const { log } = this.#options;
    for await (const item of loadDevices(this.#options)) {
      try {
        this.#remember({ device: parseDevice(item), isListed: isListed(item) });
      } catch (error) {
        log.warn({ err: error }, 'the device list contains an invalid item');
      }
    }
    this.#isLoaded = true;
    log.info({ devices: this.#known.size }, 'device list loaded');
  }

  /** Whether the list of devices has been read: before, readings of known devices would register them again. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** Undefined where it is not known, or no more than what its item said long ago: `admit` reads that again. */
  find(id: string): KnownDevice | undefined {
    const device = this.#known.get(id);
    return device && isUsable(device, this.#steady()) ? device : undefined;
  }

  /** All devices that are known now. */
  all(): Iterable<KnownDevice> {
    return this.#known.values();
  }

  /**
   * Registers a device, named as its id until somebody names it, and of the kind that its first reading speaks for; reads the
   * item of one that is known.
   * @throws Rejection when no new devices are taken, or the table refuses this one
   */
  admit(id: string, first: Reading): Promise<KnownDevice> {
    return this.#admitOnce(id, async () => {
      const known = this.#known.get(id);
      if (known !== undefined) return this.#readAgain(known);
      if (this.#options.admission === 'closed') {
        return this.#remember(await this.#registration.lookUp(id));
      }
      const lastSeenAt = Math.min(first.time, this.#now());
      const found = { id, kind: kindOf(first.fields), lastSeenAt };
      return this.#remember(await this.#registration.register(found));
    });
  }

  /**
   * Makes sure that readers look far enough for a block of this span (seconds) before it is written.
   * @throws ItemRejected when the table refuses to
   */
  raiseSpan(device: KnownDevice, span: number): Promise<void> {
    return this.#spans.raise(device, span);
  }

  /**
   * Notes in the background when the device was last heard of, unless that is known to the hour: the time of its reading, but
   * never later than now, since a device with a clock that is ahead would hide that it fell silent.
   */
  seen(device: KnownDevice, time: number): void {
    const now = this.#now();
    const seenAt = Math.min(time, now);
    const isAhead = device.lastSeenAt > now + clockSkewMs;
    if (seenAt < device.lastSeenAt + seenIntervalMs && !isAhead) return;
    device.lastSeenAt = seenAt; // at once, so that blocks written meanwhile do not note it too
    this.#updates.add({ device, seenAt });
  }

  /** Of a device whose kind nothing has said yet: takes the kind that a reading speaks for, and notes it in the background. */
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

  /** Reads the device's item again, with one attempt: somebody may have moved it. */
  async refresh(device: KnownDevice): Promise<void> {
    const item = unlessDeleted(await this.#table.get(deviceKey(device.id)));
    if (item === undefined) device.place = undefined;
    else this.#learn(device, item);
  }

  /** Makes the item say where to look for the device's readings; where it says so there is nothing to do. */
  reconcile(device: KnownDevice, item: Document): Promise<void> {
    return this.#reconciliation.reconcile(device, item);
  }

  /** Ends the bookkeeping, or what of it can be done until the signal aborts. */
  close(signal: AbortSignal): Promise<void> {
    return this.#updates.close(signal);
  }

  /** Told of an item that has been read or written: what it says, and what it does not say, is put right in the background. */
  #learn(device: KnownDevice, item: Document | undefined): void {
    if (item === undefined) {
      this.#reconciliation.inBackground(device, () => this.#returned(device));
    } else if (!this.#takeOver(device, item)) {
      this.#reconciliation.inBackground(device, () => this.reconcile(device, item));
    }
  }

  /** @returns whether the item says where all readings are */
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

  /** Its item is gone: somebody has deleted it, and it sends again. Where no new devices are taken, its next reading is refused. */
  async #returned(device: KnownDevice): Promise<void> {
    this.#forget(device);
    if (this.#options.admission === 'closed') return;
    await this.#admitOnce(device.id, () => this.#registerAgain(device));
  }

  /** As one that was never seen, but for the span and the shards of what has been stored since it was deleted. */
  async #registerAgain(device: KnownDevice): Promise<KnownDevice> {
    const again = this.#remember(await this.#registration.register(device));
    const { span, shards } = again;
    again.span = Math.max(span, device.span);
    setShards(again, device.shards);
    await this.reconcile(again, { span, shards: epochDocuments(shards) });
    return again;
  }

  /** Its next reading registers it. */
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

  #remember({ device, isListed, isBeingDeleted = false }: Registered): KnownDevice {
    const known = knownDevice(device, this.#steady());
    this.#known.set(device.id, known);
    const seenAt = Math.min(device.lastSeenAt, this.#now());
    // Its readings are stored meanwhile: those of a time after the deletion are kept (docs/adr/0043).
    const retry = () => this.#learn(this.#known.get(device.id) ?? known, undefined);
    if (isBeingDeleted) this.#deferred.add(device.id, retry);
    else if (!isListed) this.#updates.add({ device: known, seenAt, listAs: device.name });
    return known;
  }
}
