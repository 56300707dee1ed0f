import { fixedShards } from '@engawa/table';
import { DeviceCache } from '../src/devices/device-cache.ts';
import { PlacementStore } from '../src/placements/placement-store.ts';
import type { TestResponse, Registry } from './registry.ts';

/** The address of something, its ids percent-encoded: `pathOf('places', 'a/b')` is `/v1/places/a%2Fb`. */
export function pathOf(...segments: string[]): string {
  return `/v1/${segments.map(encodeURIComponent).join('/')}`;
}

/** Makes a place with rooms, each named as its id unless a name is given. */
export async function build(
  registry: Registry,
  place: string,
  rooms: readonly string[] = [],
  name = place,
): Promise<void> {
  await put(registry, pathOf('places', place), { name }, 201);
  for (const room of rooms) {
    await put(registry, pathOf('rooms', place, room), { name: room }, 201);
  }
}

async function put(registry: Registry, path: string, body: object, status: number): Promise<void> {
  expect(await registry.ask(path, { method: 'PUT', body })).toMatchObject({ status });
}

/** What another replica does with its own idea of where devices are. */
export function anotherReplica({ table }: Registry): PlacementStore {
  return new PlacementStore({
    table,
    shards: fixedShards(1),
    known: new DeviceCache(),
  });
}

/** Minutes after an hour long past. */
export function minute(minutes: number): string {
  return new Date(Date.UTC(2026, 9, 1, 12, minutes)).toISOString();
}

export interface MoveOptions {
  room?: string;
  since?: string | number;
  ifMatch?: string;
}

export function move(
  registry: Registry,
  device: string,
  place: string,
  { ifMatch, ...body }: MoveOptions = {},
): Promise<TestResponse> {
  const headers: Record<string, string> = ifMatch === undefined ? {} : { 'if-match': ifMatch };
  const path = pathOf('places', place, 'devices', device);
  return registry.ask(path, { method: 'PUT', headers, body });
}

export function takeAway(registry: Registry, device: string, place: string): Promise<TestResponse> {
  return registry.ask(pathOf('places', place, 'devices', device), { method: 'DELETE' });
}

export interface ListPage {
  items: Record<string, unknown>[];
  cursor?: string;
}

/** All pages of a list, from the first to the last. */
export async function walk(
  registry: Registry,
  path: string,
  parameters: Record<string, string> = {},
): Promise<ListPage[]> {
  const pages: ListPage[] = [];
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ ...parameters, ...(cursor && { cursor }) });
    const { status, body } = await registry.ask(`${path}?${query.toString()}`);
    expect(status).toBe(200);
    const page = body as ListPage;
    pages.push(page);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return pages;
}

/** Everything on these pages. */
export function itemsOf(pages: readonly ListPage[]): Record<string, unknown>[] {
  return pages.flatMap(({ items }) => items);
}
