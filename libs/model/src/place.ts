import { parseKey, placeKey, placeListKey, roomKey, roomListKey, shardOf } from '@engawa/keys';
import { annotationAttributes, annotationsOf } from './annotations.ts';
import type { Annotations } from './annotations.ts';
import type { Document } from './item-size.ts';

/** A house, a flat, a building: where rooms and devices are. */
export interface Place extends Annotations {
  id: string;
  name: string;
  /** Epoch milliseconds. */
  registeredAt: number;
  /** Raised by each change that somebody made, for ETags. */
  version: number;
}

/** A room of a place; its id is its own there alone. */
export interface Room extends Place {
  place: string;
}

/** `shards` is how many the list of places has. */
export function placeItem(place: Place, shards: number): Document {
  const { id, registeredAt, version } = place;
  const attributes = { ...placeNameAttributes(place, shards), ...annotationAttributes(place) };
  return { ...placeKey(id), ...attributes, id, registeredAt, version };
}

/** What changes in the item when a place is renamed; one update re-sorts it among the names. */
export function placeNameAttributes({ id, name }: { id: string; name: string }, shards: number) {
  return { name, ...placeListKey(shardOf(id, shards), name, id) };
}

/** `shards` is how many the list of rooms has. */
export function roomItem(room: Room, shards: number): Document {
  const { place, id, registeredAt, version } = room;
  const attributes = { ...roomNameAttributes(room, shards), ...annotationAttributes(room) };
  return { ...roomKey(place, id), ...attributes, id, registeredAt, version };
}

export function roomNameAttributes(
  { place, id, name }: { place: string; id: string; name: string },
  shards: number,
) {
  return { name, ...roomListKey(shardOf(`${place}#${id}`, shards), name, place, id) };
}

/** @throws TypeError when the item is not a place */
export function parsePlace(item: Document): Place {
  const key = parseKey(keyOf(item));
  if (key.item !== 'place') throw new TypeError(`a ${key.item}, not a place`);
  return { id: key.place, ...named(item) };
}

/** @throws TypeError when the item is not a room */
export function parseRoom(item: Document): Room {
  const key = parseKey(keyOf(item));
  if (key.item !== 'room') throw new TypeError(`a ${key.item}, not a room`);
  return { place: key.place, id: key.room, ...named(item) };
}

function named(item: Document) {
  const { name, registeredAt, version } = item;
  return {
    name: typeof name === 'string' ? name : '',
    registeredAt: Number(registeredAt),
    version: Number(version),
    ...annotationsOf(item),
  };
}

/** The table's key attributes of an item: it has no others than texts. */
export function keyOf(item: Document): { pk: string; sk: string } {
  const { pk, sk } = item;
  if (typeof pk !== 'string' || typeof sk !== 'string')
    throw new TypeError('not an item of the table');
  return { pk, sk };
}
