import { blockItem } from '@engawa/model';
import { aReading } from '@engawa/testing';
import { Locks } from './locks.ts';
import { pathOf } from './places.ts';
import { patched, RegistryModel } from './registry-model.ts';
import type { Table } from '@engawa/table';
import type { TestResponse } from './registry.ts';
import type { ModelDevice, ModelLabels, ModelRoom } from './registry-model.ts';
import type { ServiceOnTable } from './start-service-on-table.ts';

export interface RandomOperationsOptions {
  table: Table;
  replicas: readonly ServiceOnTable[];
  random: () => number;
}

export const placeIds = ['home', 'home#hall', 'flat'];
export const roomIds = ['hall', 'bath'];
export const deviceIds = ['lamp', 'tap', 'lamp#1', 'meter'];
export const labelKeys = ['floor', 'constructor'];
export const labelValues = ['1', '2'];
const longAgo = Date.now() - 30 * 86_400_000;

/**
 * Sends random requests to random replicas, and does the same to a model. Requests that concern one
 * another are sent one after the other, so that each answer is known; purge jobs run concurrently.
 */
export class RandomOperations {
  readonly model = new RegistryModel();
  readonly #options: RandomOperationsOptions;
  readonly #locks = new Locks();
  /** How often each answer was given, to show what was played. */
  readonly answers = new Map<string, number>();
  #names = 0;

  constructor(options: RandomOperationsOptions) {
    this.#options = options;
  }

  async one(): Promise<void> {
    const place = this.#pick(placeIds);
    const room = this.#pick(roomIds);
    const device = this.#pick(deviceIds);
    const operations: [weight: number, names: string[], run: () => Promise<void>][] = [
      [3, [place], () => this.#putPlace(place)],
      [2, [place, ...deviceIds], () => this.#deletePlace(place)],
      [3, [place], () => this.#putRoom(place, room)],
      [1, [place], () => this.#renameRoom(place, room)],
      [2, [place, ...deviceIds], () => this.#deleteRoom(place, room)],
      [3, [device], () => this.#putDevice(device)],
      [2, [device], () => this.#changeDevice(device)],
      [1, [device], () => this.#deleteDevice(device)],
      [6, [place, device], () => this.#move(device, place, room)],
      [2, [place, device], () => this.#move(device, place)],
      [1, [place, device], () => this.#takeAway(device, place)],
      [3, [device], () => this.#store(device)],
      [2, [device], () => this.#correct(device)],
      [1, [device], () => this.#undo(device)],
    ];
    const total = operations.reduce((sum, [weight]) => sum + weight, 0);
    let at = this.#options.random() * total;
    const chosen = operations.find(([weight]) => (at -= weight) < 0);
    if (chosen === undefined) throw new Error('no operation was chosen');
    const [, names, run] = chosen;
    await this.#locks.holding(names, run);
  }

  async #putPlace(place: string): Promise<void> {
    const name = this.#name();
    const known = this.model.places.get(place);
    const path = pathOf('places', place);
    const labels = this.#labels();
    const status = await this.#ask('PUT', path, { name, labels }, this.#creating(path, known));
    if (status === 409) return;
    const rooms = known?.rooms ?? new Map<string, ModelRoom>();
    this.model.places.set(place, { name, labels: labels ?? {}, rooms });
  }

  async #deletePlace(place: string): Promise<void> {
    const path = pathOf('places', place);
    const isThere = this.model.places.has(place);
    await this.#ask('DELETE', path, undefined, [isThere ? 204 : 404]);
    if (!isThere) return;
    this.model.deleted.add(path);
    this.model.deletePlace(place);
    for (const room of roomIds) this.model.deleted.add(pathOf('rooms', place, room));
  }

  async #putRoom(place: string, room: string): Promise<void> {
    const name = this.#name();
    const rooms = this.model.places.get(place)?.rooms;
    const path = pathOf('rooms', place, room);
    const expected = rooms === undefined ? [404] : this.#creating(path, rooms.get(room));
    const labels = this.#labels();
    const status = await this.#ask('PUT', path, { name, labels }, expected);
    if (status !== 200 && status !== 201) return;
    rooms?.set(room, { name, labels: labels ?? {} });
  }

  async #renameRoom(place: string, room: string): Promise<void> {
    const name = this.#name();
    const rooms = this.model.places.get(place)?.rooms;
    const path = pathOf('rooms', place, room);
    const known = rooms?.get(room);
    const labels = this.#labelsPatch();
    await this.#ask('PATCH', path, { name, labels }, [known === undefined ? 404 : 200]);
    if (known !== undefined) Object.assign(known, { name, labels: patched(known.labels, labels) });
  }

  async #deleteRoom(place: string, room: string): Promise<void> {
    const path = pathOf('rooms', place, room);
    const isThere = this.model.places.get(place)?.rooms.has(room) === true;
    // A room of a deleted place is deleted with it, a moment later.
    const isFading = !this.model.places.has(place);
    await this.#ask('DELETE', path, undefined, isThere ? [204] : isFading ? [204, 404] : [404]);
    this.model.deleted.add(path);
    this.model.deleteRoom(place, room);
  }

  async #putDevice(device: string): Promise<void> {
    const name = this.#name();
    const known = this.model.devices.get(device);
    const path = pathOf('devices', device);
    const labels = this.#labels();
    const status = await this.#ask('PUT', path, { name, labels }, this.#creating(path, known));
    if (status === 409) return;
    const nowhere = { place: undefined, room: undefined };
    const empty = { blocks: new Set<string>(), corrections: new Map<string, boolean>() };
    const made: ModelDevice = { name, labels: {}, status: 'active', ...nowhere, ...empty };
    this.model.devices.set(device, {
      ...(known ?? made),
      name,
      labels: labels ?? {},
      status: 'active',
    });
  }

  async #changeDevice(device: string): Promise<void> {
    const known = this.model.devices.get(device);
    const labels = this.#labelsPatch();
    const status = this.#pick(['active', 'pending']);
    const path = pathOf('devices', device);
    await this.#ask('PATCH', path, { labels, status }, [known === undefined ? 404 : 200]);
    if (known === undefined) return;
    Object.assign(known, { labels: patched(known.labels, labels), status });
  }

  async #deleteDevice(device: string): Promise<void> {
    const path = pathOf('devices', device);
    const isThere = this.model.devices.delete(device);
    await this.#ask('DELETE', path, undefined, [isThere ? 204 : 404]);
    this.model.deleted.add(path);
  }

  async #move(device: string, place: string, room?: string): Promise<void> {
    const known = this.model.devices.get(device);
    const rooms = this.model.places.get(place)?.rooms;
    const isThere = rooms !== undefined && (room === undefined || rooms.has(room));
    const path = pathOf('places', place, 'devices', device);
    const body = room === undefined ? {} : { room };
    await this.#ask('PUT', path, body, [known !== undefined && isThere ? 200 : 404]);
    if (known !== undefined && isThere) Object.assign(known, { place, room });
  }

  async #takeAway(device: string, place: string): Promise<void> {
    const known = this.model.devices.get(device);
    const path = pathOf('places', place, 'devices', device);
    const isThere = known?.place === place;
    // It may still be in a place that was deleted a moment ago.
    const expected = isThere ? [204] : known?.place === undefined ? [204, 404] : [404];
    await this.#ask('DELETE', path, undefined, expected);
    if (isThere) Object.assign(known, { place: undefined, room: undefined });
  }

  /** As ingestion stores readings of long ago. */
  async #store(device: string): Promise<void> {
    const known = this.model.devices.get(device);
    if (known === undefined) return;
    const time = longAgo + Math.floor(this.#options.random() * 1_000_000);
    const block = blockItem({ device, readings: [aReading({ time })] });
    await this.#options.table.put(block);
    known.blocks.add(block.sk);
  }

  /** Makes a correction, or the same again. */
  async #correct(device: string): Promise<void> {
    const known = this.model.devices.get(device);
    const id = `correction ${Math.floor(this.#options.random() * 5)}`;
    const body = { operation: 'delete', from: longAgo, to: longAgo + 1000, why: 'to see' };
    const path = pathOf('devices', device, 'corrections', id);
    const isUndone = known?.corrections.get(id);
    const expected = isUndone === undefined ? 201 : isUndone ? 409 : 200;
    // One that was undone asks for the same, but its id is not used again.
    const status = await this.#ask('PUT', path, body, [known === undefined ? 404 : expected]);
    if (status === 201) known?.corrections.set(id, false);
  }

  async #undo(device: string): Promise<void> {
    const known = this.model.devices.get(device);
    const id = `correction ${Math.floor(this.#options.random() * 5)}`;
    const isThere = known?.corrections.has(id) === true;
    const path = pathOf('devices', device, 'corrections', id);
    await this.#ask('DELETE', path, undefined, [isThere ? 204 : 404]);
    if (isThere) known.corrections.set(id, true);
  }

  #creating(path: string, known: unknown): number[] {
    if (known !== undefined) return [200];
    return this.model.deleted.has(path) ? [201, 409] : [201];
  }

  async #ask(
    method: string,
    path: string,
    body: object | undefined,
    expected: readonly number[],
  ): Promise<number> {
    const replica = this.#pick(this.#options.replicas);
    const answer: TestResponse = await replica.ask(path, { method, ...(body && { body }) });
    const { status } = answer;
    if (!expected.includes(status)) {
      const given = `${status} ${JSON.stringify(answer.body)}`;
      throw new Error(`${method} ${path}: ${given}, not ${expected.join(' or ')}`);
    }
    const key = `${method} ${path.split('/')[2] ?? ''} ${status}`;
    this.answers.set(key, (this.answers.get(key) ?? 0) + 1);
    return status;
  }

  #pick<Choice>(choices: readonly Choice[]): Choice {
    return choices[Math.floor(this.#options.random() * choices.length)] as Choice;
  }

  #labels(): ModelLabels | undefined {
    if (this.#options.random() < 0.5) return undefined;
    return { [this.#pick(labelKeys)]: this.#pick(labelValues) };
  }

  #labelsPatch(): Record<string, string | null> {
    return { [this.#pick(labelKeys)]: this.#pick([...labelValues, null]) };
  }

  #name(): string {
    return `name ${this.#names++}`;
  }
}
