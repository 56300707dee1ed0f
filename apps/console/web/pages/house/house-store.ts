import { batch, signal } from '@preact/signals';
import { api } from '../../api/client.ts';
import { allPages } from '../../api/load.ts';
import { houseTexts } from './texts.ts';
import { LiveValues } from './live-values.ts';
import {
  loadPlace,
  loadPlaceFields,
  loadSparklines,
  loadUnplaced,
  withFields,
} from './load-place.ts';
import { isSilent } from './model.ts';
import type { Signal } from '@preact/signals';
import type { registry } from '@engawa/client';
import type { DeviceState, PlaceState } from './model.ts';

export type ListedDevice = registry.ListDevicesOutput['items'][number];

const listLimit = 1000;

/** The data of the House page: places at once, devices of a place when it comes into view. */
export class HouseStore {
  readonly places = signal<readonly PlaceState[]>([]);
  readonly pending = signal<readonly ListedDevice[]>([]);
  readonly silent = signal<readonly ListedDevice[]>([]);
  readonly #devices = new Map<string, Signal<DeviceState>>();
  #unplaced: ListedDevice[] = [];
  readonly #live = new LiveValues({
    deviceOf: (id) => this.#devices.get(id),
    reload: () => this.reloadValues(),
  });

  /** Places and problems. @throws ProblemError, TypeError as of a request */
  async load(): Promise<void> {
    const [places, devices, pending] = await Promise.all([
      allPages((cursor) => api.registry.listPlaces({ limit: listLimit, cursor })),
      // The list by name has no places of devices.
      allPages((cursor) =>
        api.registry.listDevices({ order: '-lastSeen', limit: listLimit, cursor }),
      ),
      allPages((cursor) =>
        api.registry.listDevices({ status: 'pending', limit: listLimit, cursor }),
      ),
    ]);
    const active = devices.filter(({ status }) => status === 'active');
    const now = Date.now();
    batch(() => {
      this.pending.value = pending;
      this.silent.value = active.filter(({ kind, lastSeenAt }) =>
        isSilent({ kind, heardAt: lastSeenAt }, now),
      );
      this.#setPlaces(places, devices, active);
    });
  }

  #setPlaces(
    places: registry.ListPlacesOutput['items'],
    devices: readonly ListedDevice[],
    active: readonly ListedDevice[],
  ): void {
    this.#unplaced = active.filter(({ place }) => place === undefined);
    const byPlace = Map.groupBy(devices, ({ place }) => place);
    const known = new Map(this.places.peek().map((place) => [place.id, place]));
    const states = places.map(({ id, name }): PlaceState => {
      const expected = sizeOf(byPlace.get(id) ?? []);
      return { id, name, expected, content: known.get(id)?.content ?? signal({ kind: 'idle' }) };
    });
    if (this.#unplaced.length > 0) {
      const content: PlaceState['content'] =
        known.get(undefined)?.content ?? signal({ kind: 'idle' });
      const expected = { devices: this.#unplaced.length, rooms: 0 };
      states.push({ id: undefined, name: '', expected, content });
    }
    this.places.value = states;
    for (const place of states) {
      const before = known.get(place.id)?.expected.devices;
      const isLoaded = place.content.peek().kind === 'ready';
      if (isLoaded && before !== place.expected.devices) void this.#loadPlace(place);
    }
  }

  /** Lets a device's readings be seen. @throws ProblemError, TypeError as of a request */
  async approve(id: string): Promise<void> {
    await api.registry.renameDevice({ id, body: { status: 'active' } });
    this.pending.value = this.pending.peek().filter((device) => device.id !== id);
    await this.load();
  }

  /** Loads places that come into view, and subscribes to their live values. */
  show(places: readonly PlaceState[]): void {
    for (const place of places)
      if (place.content.peek().kind === 'idle') void this.#loadPlace(place);
    this.#live.subscribe(
      places.flatMap(({ id }) => id ?? []),
      {
        all: places.some(({ id }) => id === undefined),
      },
    );
  }

  async retry(place: PlaceState): Promise<void> {
    await this.#loadPlace(place);
  }

  /** The current values of the places in view, where there is no live feed. */
  async reloadValues(): Promise<void> {
    for (const id of this.#live.places) {
      const values = await loadPlaceFields(id).catch(() => undefined);
      batch(() => {
        for (const [device, loaded] of values ?? []) {
          const state = this.#devices.get(device);
          if (state !== undefined) state.value = withFields(state.peek(), loaded);
        }
      });
    }
  }

  close(): void {
    this.#live.close();
  }

  async #loadPlace({ id, content }: PlaceState): Promise<void> {
    // Devices that are shown stay until the new list is there.
    if (content.peek().kind !== 'ready') content.value = { kind: 'loading' };
    try {
      const { withoutRoom } = houseTexts.peek();
      const { rooms, devices } =
        id === undefined ? await this.#loadUnplaced(withoutRoom) : await loadPlace(id, withoutRoom);
      for (const state of devices) this.#devices.set(state.peek().id, state);
      content.value = { kind: 'ready', rooms, devices: devices.length };
      // A page without sparklines is better than none.
      if (id !== undefined) await loadSparklines(id, devices).catch(() => undefined);
    } catch (error) {
      content.value = { kind: 'failed', error };
    }
  }

  async #loadUnplaced(name: string) {
    const devices = await loadUnplaced(this.#unplaced);
    return { rooms: [{ id: undefined, name, devices }], devices };
  }
}

function sizeOf(devices: readonly ListedDevice[]): PlaceState['expected'] {
  return { devices: devices.length, rooms: new Set(devices.map(({ room }) => room)).size };
}
