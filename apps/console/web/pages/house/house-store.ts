import { batch, signal } from '@preact/signals';
import { api } from '../../api/client.ts';
import { allPages } from '../../api/load.ts';
import { DeviceIndex } from './device-index.ts';
import { LiveValues } from './live-values.ts';
import { PlaceLoader } from './place-loader.ts';
import { Silence } from './silence.ts';
import type { Signal } from '@preact/signals';
import type { registry } from '@engawa/client';
import type { ListedDevice } from './device-index.ts';
import { isClockAhead } from './model.ts';
import type { DeviceState, PlaceState } from './model.ts';

const listLimit = 1000;
/** Milliseconds after which places are loaded that a scroll has come to: it passes many. */
const settleMs = 120;
/** Milliseconds until values that could not be loaded are requested again. */
const retryMs = 5000;

/** The space of a place whose devices have not been counted yet: about a screen. */
const uncountedDevices = 16;

/** The order of problems: a device that became silent today comes before long silent ones. */
function newestFirst(one: ListedDevice, other: ListedDevice): number {
  const [left, right] = [one.lastSeenAt ?? '', other.lastSeenAt ?? ''];
  return left > right ? -1 : Number(left < right);
}

function byName(one: ListedDevice, other: ListedDevice): number {
  return (
    one.name.localeCompare(other.name, undefined, { numeric: true }) || (one.id < other.id ? -1 : 1)
  );
}

function isLoading(device: Signal<DeviceState>): boolean {
  return device.peek().isLoading === true;
}

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
  /** Devices whose clock is ahead. */
  readonly ahead = signal<readonly ListedDevice[]>([]);
  readonly #silence = new Silence();
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
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  #reloading: Promise<void> | undefined;

  /** Places and problems. @throws ProblemError, TypeError as of a request */
  async load(): Promise<void> {
    const [listed] = await Promise.all([
      allPages((cursor) => api.registry.listPlaces({ limit: listLimit, cursor })),
      this.#index.refresh(),
    ]);
    this.#listed = listed;
    this.#update();
    void this.#resolveSilence();
  }

  /** Changes of places and devices, and the devices of the places in view. @throws as `load` */
  async refresh(): Promise<void> {
    await this.load();
    for (const place of this.#view.places) await this.#loader.load(place);
    await this.#loader.loadUnplacedSparklines(this.#view.unplaced);
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
    clearTimeout(this.#retryTimer);
    this.#isClosed = true;
    this.#live.close();
  }

  #show(view: View): void {
    const before = this.#view;
    this.#view = view;
    for (const place of view.places) {
      const { kind } = place.content.peek();
      const isNew = before.places.every(({ id }) => id !== place.id);
      if (kind === 'idle') void this.#loader.load(place);
      // Without a subscription its values have not changed while it was out of view.
      else if (kind === 'ready' && isNew) void this.#loader.loadAgain(place);
    }
    const shown = new Set(before.unplaced);
    void this.#loadUnplaced(
      view.unplaced.filter((device) => !shown.has(device) || isLoading(device)),
    );
    const ids = view.places.flatMap(({ id }) => id ?? []);
    const unplaced = view.unplaced.map((device) => device.peek().id);
    this.#live.subscribe({ places: ids, devices: unplaced });
  }

  /** Loads values, and those in view again after a while that could not be loaded. */
  async #loadUnplaced(devices: readonly Signal<DeviceState>[]): Promise<void> {
    if (devices.length === 0) return;
    await this.#loader.loadUnplaced(devices);
    if (this.#isClosed) return;
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(
      () => void this.#loadUnplaced(this.#view.unplaced.filter(isLoading)),
      retryMs,
    );
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
    const devices = this.#index.all.sort(newestFirst);
    const active = devices.filter(({ status }) => status === 'active');
    batch(() => {
      this.pending.value = devices.filter(({ status }) => status === 'pending');
      this.ahead.value = active.filter(isClockAhead);
      this.#showSilent(active);
      this.#setPlaces(active);
    });
  }

  #showSilent(active: readonly ListedDevice[]): void {
    const now = Date.now();
    this.silent.value = active.filter((device) =>
      this.#silence.isSilent(device, this.#shownAt(device.id), now),
    );
  }

  async #resolveSilence(): Promise<void> {
    const active = this.#index.all.filter(({ status }) => status === 'active');
    // The next refresh asks again for devices whose last reading could not be read.
    await this.#silence
      .resolve(active, (id) => this.#shownAt(id), Date.now())
      .catch(() => undefined);
    this.#showSilent(this.#index.all.sort(newestFirst).filter(({ status }) => status === 'active'));
  }

  /** The time of the newest value of a device that the page has loaded. */
  #shownAt(id: string): string | undefined {
    return this.#loader.deviceOf(id)?.peek().heardAt;
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
      this.#loader.setUnplaced(state.content, unplaced.toSorted(byName));
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
