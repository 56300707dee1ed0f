import { batch, signal } from '@preact/signals';
import { houseTexts } from './texts.ts';
import { loadPlace, loadPlaceFields, withFields } from './load-place.ts';
import { loadDeviceSparklines, loadSparklines } from './load-sparklines.ts';
import { loadUnplacedValues } from './load-unplaced.ts';
import { mainField } from './model.ts';
import { todayAt } from './today.ts';
import type { Signal } from '@preact/signals';
import type { ListedDevice } from './device-index.ts';
import type { DeviceState, PlaceState, RoomState } from './model.ts';

/** Milliseconds for which the devices of a place that went out of view are taken as current. */
const maxAgeMs = 60_000;

/** Milliseconds after which the query service knows a device that was placed: it caches memberships for 5 s. */
const placementDelayMs = 6000;

/** Loads the devices of places, and their values. A device keeps its signal, so that only changed rows are drawn. */
export class PlaceLoader {
  readonly #devices = new Map<string, Signal<DeviceState>>();
  /** When each place was loaded, in monotonic milliseconds. */
  readonly #loadedAt = new Map<string, number>();
  /** What each place's, or device's, sparklines show: with a new hour, device or field they are loaded again. */
  readonly #drawn = new Map<string, string>();
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
      const startedAt = performance.now();
      const { withoutRoom } = houseTexts.peek();
      const { rooms, newestSince } = await loadPlace(id, withoutRoom, this.#devices);
      this.#loadedAt.set(id, startedAt);
      this.#show(content, rooms);
      this.#onPlaced(id, rooms);
      if (Date.now() - Date.parse(newestSince) < maxAgeMs) {
        setTimeout(() => void this.reloadValues(id), placementDelayMs);
      }
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
      if (known !== undefined) return withNames(known, { name, kind });
      const state: DeviceState = { id, name, kind, fields: {}, heardAt: lastSeenAt };
      return signal({ ...state, isLoading: true });
    });
    this.#show(content, [{ id: undefined, name: '', devices }]);
  }

  /** The current values of devices without a place. */
  async loadUnplaced(devices: readonly Signal<DeviceState>[]): Promise<void> {
    // A page without these values is better than none; they are requested again.
    await loadUnplacedValues(devices).catch(() => undefined);
    await this.loadUnplacedSparklines(devices);
  }

  /** Today's lines of devices without a place, once an hour: a request for each device. */
  async loadUnplacedSparklines(devices: readonly Signal<DeviceState>[]): Promise<void> {
    const today = todayAt(Date.now());
    const due = devices.filter((device) => {
      const { id, fields } = device.peek();
      if (mainField(fields) === undefined) return false;
      return this.#isDue(`device ${id}`, `${today.to} ${mainField(fields)}`);
    });
    const failed = await loadDeviceSparklines(due, today);
    for (const device of failed) this.#drawn.delete(`device ${device.peek().id}`);
  }

  /** A place that comes into view again: its current values, and after a minute also its devices. */
  async loadAgain(place: PlaceState): Promise<void> {
    if (place.id === undefined) return;
    const loadedAt = this.#loadedAt.get(place.id) ?? -Infinity;
    if (performance.now() - loadedAt < maxAgeMs) await this.reloadValues(place.id);
    else await this.load(place);
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
    const shown = devices.map((device) => [device.peek().id, mainField(device.peek().fields)]);
    if (!this.#isDue(`place ${id}`, JSON.stringify([today.to, shown]))) return;
    // A page without sparklines is better than none.
    await loadSparklines(id, devices, today).catch(() => this.#drawn.delete(`place ${id}`));
  }

  #isDue(key: string, shown: string): boolean {
    const isDue = this.#drawn.get(key) !== shown;
    this.#drawn.set(key, shown);
    return isDue;
  }
}

function withNames(
  device: Signal<DeviceState>,
  { name, kind }: Pick<DeviceState, 'name' | 'kind'>,
): Signal<DeviceState> {
  const state = device.peek();
  if (state.name !== name || state.kind !== kind) device.value = { ...state, name, kind };
  return device;
}

/** What decides which rows there are. */
function outlineOf(rooms: readonly RoomState[]): string {
  return JSON.stringify(
    rooms.map(({ id, name, devices }) => [id, name, devices.map((device) => device.peek().id)]),
  );
}
