import { batch, signal } from '@preact/signals';
import { houseTexts } from './texts.ts';
import { loadPlace, loadPlaceFields, withFields } from './load-place.ts';
import { loadSparklines } from './load-sparklines.ts';
import { loadUnplacedValues } from './load-unplaced.ts';
import { todayAt } from './today.ts';
import type { Signal } from '@preact/signals';
import type { ListedDevice } from './device-index.ts';
import type { DeviceState, PlaceState, RoomState } from './model.ts';

/** Loads the devices of places, and their values. A device keeps its signal, so that only changed rows are drawn. */
export class PlaceLoader {
  readonly #devices = new Map<string, Signal<DeviceState>>();
  /** The end of the newest bucket of each place's sparklines, in epoch milliseconds. */
  readonly #sparklinesUntil = new Map<string, number>();
  readonly #onPlaced: (id: string, rooms: readonly RoomState[]) => void;

  /** @param onPlaced called with the devices that are now at a place */
  constructor(onPlaced: (id: string, rooms: readonly RoomState[]) => void) {
    this.#onPlaced = onPlaced;
  }

  deviceOf(id: string): Signal<DeviceState> | undefined {
    return this.#devices.get(id);
  }

  /** Loads a place, or what has changed there; content that is shown stays until then. */
  async load({ id, content }: PlaceState): Promise<void> {
    if (id === undefined) return;
    const isShown = content.peek().kind === 'ready';
    if (!isShown) content.value = { kind: 'loading' };
    try {
      const rooms = await loadPlace(id, houseTexts.peek().withoutRoom, this.#devices);
      this.#show(content, rooms);
      this.#onPlaced(id, rooms);
      await this.#loadSparklines(
        id,
        rooms.flatMap(({ devices }) => devices),
      );
    } catch (error) {
      if (!isShown) content.value = { kind: 'failed', error };
    }
  }

  /** The devices without a place. Their values are loaded when they come into view. */
  setUnplaced(content: PlaceState['content'], listed: readonly ListedDevice[]): void {
    const devices = listed.map(({ id, name, kind, lastSeenAt }) => {
      const known = this.#devices.get(id);
      if (known !== undefined) return known;
      const state: DeviceState = { id, name, kind, fields: {}, heardAt: lastSeenAt };
      return signal({ ...state, isLoading: true });
    });
    this.#show(content, [{ id: undefined, name: '', devices }]);
  }

  /** The current values of devices without a place. */
  async loadUnplaced(devices: readonly Signal<DeviceState>[]): Promise<void> {
    // A page without these values is better than none; the next view of them tries again.
    await loadUnplacedValues(devices).catch(() => undefined);
  }

  /** The current values of a place. */
  async reloadValues(id: string): Promise<void> {
    const values = await loadPlaceFields(id).catch(() => undefined);
    batch(() => {
      for (const [device, loaded] of values ?? []) {
        const state = this.#devices.get(device);
        if (state !== undefined) state.value = withFields(state.peek(), loaded);
      }
    });
  }

  #show(content: PlaceState['content'], rooms: readonly RoomState[]): void {
    const devices = rooms.flatMap((room) => room.devices);
    for (const device of devices) this.#devices.set(device.peek().id, device);
    const known = content.peek();
    if (known.kind === 'ready' && outlineOf(known.rooms) === outlineOf(rooms)) return;
    content.value = { kind: 'ready', rooms, devices: devices.length };
  }

  async #loadSparklines(id: string, devices: readonly Signal<DeviceState>[]): Promise<void> {
    const today = todayAt(Date.now());
    if (this.#sparklinesUntil.get(id) === today.to) return;
    this.#sparklinesUntil.set(id, today.to);
    // A page without sparklines is better than none.
    await loadSparklines(id, devices, today).catch(() => this.#sparklinesUntil.delete(id));
  }
}

/** What decides which rows there are. */
function outlineOf(rooms: readonly RoomState[]): string {
  return JSON.stringify(
    rooms.map(({ id, name, devices }) => [id, name, devices.map((device) => device.peek().id)]),
  );
}
