import { batch, signal } from '@preact/signals';
import { api } from '../../api/client.ts';
import { allPages } from '../../api/load.ts';
import { DeviceIndex } from './device-index.ts';
import { LiveValues } from './live-values.ts';
import { PlaceLoader } from './place-loader.ts';
import { hourMs, isSilent } from './model.ts';
import type { Signal } from '@preact/signals';
import type { registry } from '@engawa/client';
import type { ListedDevice } from './device-index.ts';
import type { DeviceState, PlaceState } from './model.ts';

const listLimit = 1000;
/** Milliseconds after which places are loaded that a scroll has come to: it passes many. */
const settleMs = 120;
/** `lastSeenAt` of the list is updated once an hour. In milliseconds. */
const lastSeenAccuracyMs = hourMs;

/** The space of a place whose devices have not been counted yet: about a screen. */
const uncountedDevices = 16;

interface View {
  places: readonly PlaceState[];
  /** Devices without a place. */
  unplaced: readonly Signal<DeviceState>[];
}

/** The data of the House page: names of places at once, devices and values of a place while it is in view. */
export class HouseStore {
  readonly places = signal<readonly PlaceState[]>([]);
  readonly pending = signal<readonly ListedDevice[]>([]);
  readonly silent = signal<readonly ListedDevice[]>([]);
  readonly #index = new DeviceIndex(() => this.#update());
  readonly #loader = new PlaceLoader((id, rooms) => {
    for (const { id: room, devices } of rooms) {
      for (const device of devices) this.#index.update(device.peek().id, { place: id, room });
    }
  });
  readonly #live = new LiveValues({
    deviceOf: (id) => this.#loader.deviceOf(id),
    reload: () => this.#reloadValues(),
  });
  #listed: registry.ListPlacesOutput['items'] = [];
  #view: View = { places: [], unplaced: [] };
  #settleTimer: ReturnType<typeof setTimeout> | undefined;
  #reloading: Promise<void> | undefined;

  /** Places and problems. @throws ProblemError, TypeError as of a request */
  async load(): Promise<void> {
    const [listed] = await Promise.all([
      allPages((cursor) => api.registry.listPlaces({ limit: listLimit, cursor })),
      this.#index.refresh(),
    ]);
    this.#listed = listed;
    this.#update();
  }

  /** Changes of places and devices, and the devices of the places in view. @throws as `load` */
  async refresh(): Promise<void> {
    await this.load();
    for (const place of this.#view.places) await this.#loader.load(place);
  }

  /** Lets a device's readings be seen. @throws ProblemError, TypeError as of a request */
  async approve(id: string): Promise<void> {
    await api.registry.renameDevice({ id, body: { status: 'active' } });
    this.#index.update(id, { status: 'active' });
    this.#update();
    const place = this.#view.places.find((one) => one.id === this.#index.get(id)?.place);
    if (place !== undefined) await this.#loader.load(place);
  }

  /** Loads what comes into view, and subscribes to its live values. */
  show(places: readonly PlaceState[], unplaced: readonly Signal<DeviceState>[]): void {
    clearTimeout(this.#settleTimer);
    const isFirst = this.#view.places.length === 0;
    this.#settleTimer = setTimeout(() => this.#show({ places, unplaced }), isFirst ? 0 : settleMs);
  }

  async retry(place: PlaceState): Promise<void> {
    await this.#loader.load(place);
  }

  close(): void {
    clearTimeout(this.#settleTimer);
    this.#live.close();
  }

  #show(view: View): void {
    const before = new Set(this.#view.places.map(({ id }) => id));
    this.#view = view;
    for (const { id, content, ...rest } of view.places) {
      const { kind } = content.peek();
      if (kind === 'idle') void this.#loader.load({ id, content, ...rest });
      // Without a subscription its values have not changed while it was out of view.
      else if (kind === 'ready' && id !== undefined && !before.has(id))
        void this.#loader.reloadValues(id);
    }
    const waiting = view.unplaced.filter((device) => device.peek().isLoading === true);
    if (waiting.length > 0) void this.#loader.loadUnplaced(waiting);
    const ids = view.places.flatMap(({ id }) => id ?? []);
    const unplaced = view.unplaced.map((device) => device.peek().id);
    this.#live.subscribe({ places: ids, devices: unplaced });
  }

  /** The current values of the places and devices in view; calls during a request share it. */
  #reloadValues(): Promise<void> {
    this.#reloading ??= this.#loadValues().finally(() => (this.#reloading = undefined));
    return this.#reloading;
  }

  async #loadValues(): Promise<void> {
    const { places, unplaced } = this.#view;
    for (const { id } of places) if (id !== undefined) await this.#loader.reloadValues(id);
    if (unplaced.length > 0) await this.#loader.loadUnplaced(unplaced);
  }

  /** Derives places and problems from the lists. */
  #update(): void {
    const devices = this.#index.all;
    const active = devices.filter(({ status }) => status === 'active');
    const now = Date.now();
    batch(() => {
      this.pending.value = devices.filter(({ status }) => status === 'pending');
      this.silent.value = active.filter((device) => this.#isSilent(device, now));
      this.#setPlaces(active);
    });
  }

  #isSilent({ id, kind, lastSeenAt }: ListedDevice, now: number): boolean {
    const heardAt = this.#loader.deviceOf(id)?.peek().heardAt;
    if (heardAt !== undefined && heardAt > (lastSeenAt ?? '')) {
      return isSilent({ kind, heardAt }, now);
    }
    return isSilent({ kind, heardAt: lastSeenAt }, now - lastSeenAccuracyMs);
  }

  #setPlaces(active: readonly ListedDevice[]): void {
    const byPlace = Map.groupBy(active, ({ place }) => place);
    const known = new Map(this.places.peek().map((place) => [place.id, place]));
    const stateOf = (id: string | undefined, name: string): PlaceState => {
      const expected = this.#sizeOf(byPlace.get(id) ?? []);
      return { id, name, expected, content: known.get(id)?.content ?? signal({ kind: 'idle' }) };
    };
    const states = this.#listed.map(({ id, name }) => stateOf(id, name));
    const unplaced = byPlace.get(undefined) ?? [];
    if (unplaced.length > 0) {
      const state = stateOf(undefined, '');
      this.#loader.setUnplaced(state.content, unplaced);
      states.push(state);
    }
    this.places.value = states;
  }

  #sizeOf(devices: readonly ListedDevice[]): PlaceState['expected'] {
    const rooms = new Set(devices.map(({ room }) => room)).size;
    // While the rest of a long list is on its way, a small place would bring many others into view.
    const atLeast = this.#index.isComplete ? 0 : uncountedDevices;
    return { devices: Math.max(devices.length, atLeast), rooms };
  }
}
