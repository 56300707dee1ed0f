import { placementKey } from '@engawa/keys';
import { eventAttributes, eventOf } from '@engawa/model';
import {
  absent,
  allOf,
  anyOf,
  ConditionFailed,
  equal,
  greater,
  less,
  not,
  present,
} from '@engawa/table';
import { clockSkewMs } from '../known-device.ts';
import { BackgroundQueue } from './background-queue.ts';
import type { DeviceEvent, Reading } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { DeviceRegister, KnownDevice } from '../device-register.ts';
import type { BackgroundQueueOptions } from './background-queue.ts';

export interface PlacementEventsOptions extends Pick<
  BackgroundQueueOptions<PendingEvent>,
  'metrics' | 'log'
> {
  table: Pick<Table, 'update'>;
  devices: Pick<DeviceRegister, 'refresh'>;
}

interface PendingEvent {
  device: KnownDevice;
  event: DeviceEvent;
}

/** Maximum number of placements that are written at the same time. */
const concurrency = 8;

/**
 * Shows the last event of a device at its placement: a door was opened, a button was pressed. Runs after the
 * acknowledgement, because a throttled place must not delay readings (docs/adr/0033).
 */
export class PlacementEvents {
  readonly #options: PlacementEventsOptions;
  readonly #queue: BackgroundQueue<PendingEvent>;

  constructor(options: PlacementEventsOptions) {
    const { metrics, log } = options;
    this.#options = options;
    this.#queue = new BackgroundQueue({
      what: 'event',
      concurrency,
      run: (showing) => this.#show(showing),
      merge: (older, newer) => (isLater(older.event, newer.event) ? older : newer),
      metrics,
      log,
    });
  }

  /**
   * Shows the newest event of these readings soon, unless the placement shows a newer one, or the device has no place.
   * @param readings in the order of receipt
   * @param receivedAt epoch milliseconds: when the last of them was received
   */
  show(device: KnownDevice, readings: readonly Reading[], receivedAt: number): void {
    const event = newestEvent(readings, receivedAt);
    if (event !== undefined) this.#queue.add(device.id, { device, event });
  }

  close(signal: AbortSignal): Promise<void> {
    return this.#queue.close(signal);
  }

  async #show({ device, event }: PendingEvent): Promise<undefined> {
    // After an approval, the next event is shown (docs/adr/0042).
    if (device.isPending) await this.#options.devices.refresh(device);
    if (device.isPending) return;
    if (await this.#write(device, event)) return;
    // The device has no place, or its known place is outdated: the device's item decides.
    await this.#options.devices.refresh(device);
    await this.#write(device, event);
  }

  /** @returns whether the device is placed at its known place */
  async #write({ id, place }: KnownDevice, event: DeviceEvent): Promise<boolean> {
    if (place === undefined) return false;
    const isReceivedLater = not(greater('lastEventReceivedAt', event.receivedAt));
    // Earlier versions stored times ahead of their receipt.
    const isAhead = greater('lastEventAt', Date.now() + clockSkewMs);
    const isNewer = anyOf(
      absent('lastEventAt'),
      less('lastEventAt', event.time),
      allOf(equal('lastEventAt', event.time), isReceivedLater),
      isAhead,
    );
    const change = {
      set: eventAttributes(event),
      onlyIf: allOf(present('pk'), isNewer),
    };
    try {
      await this.#options.table.update(placementKey(place, id), change);
      return true;
    } catch (error) {
      if (error instanceof ConditionFailed) return error.item !== undefined;
      throw error;
    }
  }
}

/** The time of an event is never later than now: with a clock that is ahead it would hide events received later. */
function newestEvent(readings: readonly Reading[], receivedAt: number): DeviceEvent | undefined {
  const now = Date.now();
  let newest: DeviceEvent | undefined;
  for (const reading of readings) {
    const { fields } = reading;
    const time = Math.min(reading.time, now);
    if (newest !== undefined && newest.time > time) continue;
    const event = eventOf(fields);
    if (event !== undefined) newest = { time, fields: event, receivedAt };
  }
  return newest;
}

function isLater(left: DeviceEvent, right: DeviceEvent): boolean {
  return left.time > right.time || (left.time === right.time && left.receivedAt > right.receivedAt);
}
