import { deviceKey, deviceListFamily, deviceSeenFamily, deviceSeenPartition } from '@engawa/keys';
import {
  deviceItem,
  epochDocuments,
  kindOf,
  parseDevice,
  parseEpochs,
  seenAttributes,
  seenInterval,
} from '@engawa/model';
import { absent, ConditionFailed, less } from '@engawa/table';
import { learnShards, missingIn, replaceShards } from './device-epochs.ts';
import { retryForever } from './retry-forever.ts';
import { Rejection } from './rejection.ts';
import type { KnownEpoch } from '@engawa/keys';
import type { Device, DeviceKind, Document, ListShards, Reading } from '@engawa/model';
import type { PageKey, Shards, Table } from '@engawa/table';
import type { RetryOptions } from './retry-forever.ts';

/** What ingestion has to know of a device. */
export interface KnownDevice {
  readonly id: string;
  readonly kind: DeviceKind;
  /** Seconds, as the table has it. */
  span: number;
  /** Epoch milliseconds, as the table has it. */
  lastSeenAt: number;
  /** As far as is known; whoever needs it to be true asks for `refresh` first. */
  place: string | undefined;
  /** Over how many keys its readings may be spread, from when on. Another replica may have added to it: then this is late. */
  shards: readonly KnownEpoch[];
  /** Epoch milliseconds of the oldest reading that was lately written. */
  oldestWritten: number;
}

export interface DeviceRegisterOptions extends RetryOptions {
  table: Table;
  /** What becomes of a device never seen before. */
  admission: 'auto' | 'pending' | 'closed';
  shards: Shards;
}

/** The devices there are, as this process knows them: read once at the start, and kept up by what comes in. */
export class DeviceRegister {
  readonly #options: DeviceRegisterOptions;
  readonly #known = new Map<string, KnownDevice>();
  readonly #admissions = new Map<string, Promise<KnownDevice>>();
  readonly #spans = new Map<string, Promise<void>>();

  constructor(options: DeviceRegisterOptions) {
    this.#options = options;
  }

  /**
   * Reads the list of devices, from the index that has all of each: a Query a page and shard. Shards may become more
   * meanwhile, and then a device only ever moves to one that is still to be read.
   */
  async load(): Promise<void> {
    for (let shard = 0; shard < (await this.#shardsToLoad()); shard++) {
      let after: PageKey | undefined;
      do {
        const pk = deviceSeenPartition(shard);
        const page = await this.#options.table.query({
          index: 'gsi2',
          pk,
          ...(after !== undefined && { after }),
        });
        for (const item of page.items) this.#remember(parseDevice(item));
        after = page.next;
      } while (after !== undefined);
    }
    this.#options.log.info({ devices: this.#known.size }, 'read the list of devices');
  }

  #shardsToLoad(): Promise<number> {
    return retryForever(() => this.#options.shards.toRead(deviceSeenFamily), this.#options);
  }

  find(id: string): KnownDevice | undefined {
    return this.#known.get(id);
  }

  /**
   * Registers a device, named as its id until somebody names it, and of the kind that its first reading speaks for.
   * @throws Rejection when no new devices are taken
   */
  admit(id: string, first: Reading): Promise<KnownDevice> {
    const running = this.#admissions.get(id);
    if (running !== undefined) return running;
    const isClosed = this.#options.admission === 'closed';
    const found = { id, kind: kindOf(first.fields), lastSeenAt: first.time, span: 0 };
    const admitted = isClosed ? this.#lookUp(id) : this.#register(found);
    const admission = admitted.finally(() => this.#admissions.delete(id));
    this.#admissions.set(id, admission);
    return admission;
  }

  /** Makes sure that readers look far enough for a block of this span (seconds) before it is written. */
  async raiseSpan(device: KnownDevice, span: number): Promise<void> {
    while (span > device.span) {
      const raising = this.#spans.get(device.id) ?? this.#writeSpan(device, span);
      this.#spans.set(device.id, raising);
      await raising;
    }
  }

  /**
   * Notes when the device was last heard of, unless that is known to the hour. Nobody waits for it: were this lost, the next
   * reading would bring it, and an index that throttles must not keep readings from being acknowledged.
   */
  seen(device: KnownDevice, time: number): void {
    if (time < device.lastSeenAt + seenInterval) return;
    device.lastSeenAt = time; // at once, so that blocks written meanwhile do not note it too
    this.#writeSeen(device, time).catch((error: unknown) => {
      if (this.#options.signal.aborted) return;
      this.#options.log.warn({ err: error }, 'when a device was last seen could not be noted');
    });
  }

  /** Reads the device's item again: somebody may have moved it. */
  async refresh(device: KnownDevice): Promise<void> {
    const item = await retryForever(
      () => this.#options.table.get(deviceKey(device.id)),
      this.#options,
    );
    device.place = item === undefined ? undefined : parseDevice(item).place;
    if (item !== undefined) await this.agree(device, item);
  }

  /** Takes what the device's item says of its shards; what has just been learned is not used at once. */
  learnShards(device: KnownDevice, item: Document): void {
    device.shards = learnShards(device.shards, parseEpochs(item['shards']));
  }

  async #writeSeen(device: KnownDevice, time: number): Promise<void> {
    try {
      const item = await this.#persist(() =>
        this.#options.table.update(deviceKey(device.id), {
          set: seenAttributes(device.id, time, this.#listShards()),
          onlyIf: less('lastSeenAt', time),
        }),
      );
      await this.agree(device, item);
    } catch (error) {
      // Another replica has heard of it later still, or it has been deleted meanwhile.
      if (!(error instanceof ConditionFailed)) throw error;
      if (error.item === undefined) await this.#returned(device);
      else await this.agree(device, error.item);
    }
  }

  /**
   * Its item is gone: somebody has deleted it, and here it is again. It is registered as one that was never seen, but for the
   * span of what has been stored since; where no new devices are taken, its next reading is refused.
   */
  async #returned(device: KnownDevice): Promise<void> {
    if (this.#known.get(device.id) === device) this.#known.delete(device.id);
    if (this.#options.admission === 'closed') return;
    const again = await this.#register(device);
    const { span, shards } = again;
    Object.assign(again, { span: Math.max(span, device.span), shards: device.shards });
    await this.agree(again, { span, shards: epochDocuments(shards) });
  }

  /**
   * An item that has been deleted and made anew does not say where to look for the device's readings: over how many keys, and
   * how far. Where it says so there is nothing to do.
   */
  async agree(device: KnownDevice, item: Document): Promise<void> {
    const epochs = parseEpochs(item['shards']);
    this.learnShards(device, item);
    if (missingIn(epochs, device.shards).length > 0) {
      const now = await replaceShards({ ...this.#options, device, epochs });
      if (now !== undefined) this.learnShards(device, now);
    }
    const { span } = device;
    device.span = Math.min(span, Number(item['span']) || 0);
    await this.raiseSpan(device, span);
  }

  /** Somebody may have registered it since the list was read. */
  async #lookUp(id: string): Promise<KnownDevice> {
    const item = await this.#persist(() => this.#options.table.get(deviceKey(id)));
    if (item === undefined) throw new Rejection('not_admitted', 'the device is not registered');
    return this.#remember(parseDevice(item));
  }

  async #register(
    found: Pick<KnownDevice, 'id' | 'kind' | 'lastSeenAt' | 'span'>,
  ): Promise<KnownDevice> {
    const { id, kind, lastSeenAt, span } = found;
    const device: Device = {
      id,
      name: id,
      kind,
      status: this.#options.admission === 'pending' ? 'pending' : 'active',
      registeredAt: Date.now(),
      lastSeenAt,
      span,
      version: 1,
    };
    try {
      const item = deviceItem(device, this.#listShards());
      await this.#persist(() => this.#options.table.put(item, { onlyIf: absent('pk') }));
      this.#options.log.info({ device: id, kind: device.kind }, 'registered a device');
      return this.#remember(device);
    } catch (error) {
      // Another replica was first, or an answer to ourselves was lost.
      if (!(error instanceof ConditionFailed) || error.item === undefined) throw error;
      return this.#remember(parseDevice(error.item));
    }
  }

  async #writeSpan(device: KnownDevice, span: number): Promise<void> {
    try {
      await this.#persist(() =>
        this.#options.table.update(deviceKey(device.id), {
          set: { span },
          onlyIf: less('span', span),
        }),
      );
      device.span = span;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      // It is that long already, or the device has been deleted: then it has no reader until it is registered again.
      device.span = error.item === undefined ? span : parseDevice(error.item).span;
    } finally {
      this.#spans.delete(device.id);
    }
  }

  #listShards(): ListShards {
    const { shards } = this.#options;
    return { list: shards.toWrite(deviceListFamily), seen: shards.toWrite(deviceSeenFamily) };
  }

  #persist<Answer>(write: () => Promise<Answer>): Promise<Answer> {
    return retryForever(write, this.#options);
  }

  #remember({ id, kind, span, lastSeenAt, place, shards = [] }: Device): KnownDevice {
    const seen = { lastSeenAt, oldestWritten: Infinity };
    const known = { id, kind, span, place, shards: learnShards([], shards), ...seen };
    this.#known.set(id, known);
    return known;
  }
}
