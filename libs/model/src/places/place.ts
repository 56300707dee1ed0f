import { parseKey, placeKey, placeListKey, roomKey, roomListKey, shardOf } from '@engawa/keys';
import { annotationAttributes, annotationsOf } from './annotations.ts';
import type { Annotations } from './annotations.ts';
import type { Document } from '../values/item-size.ts';

/** A house, a flat, a building: contains rooms and devices. */
export interface Place extends Annotations {
  id: string;
  name: string;
  /** Epoch milliseconds. */
  registeredAt: number;
  /** Incremented by each change of a client, for ETags. */
  version: number;
}

/** A room of a place; its id is unique in the place. */
export interface Room extends Place {
  place: string;
}

/** `shards` is the shard count of the list of places. */
export function placeItem(place: Place, shards: number): Document {
  const { id, registeredAt, version } = place;
  const attributes = { ...placeNameAttributes(place, shards), ...annotationAttributes(place) };
  return { ...placeKey(id), ...attributes, id, registeredAt, version };
}

/** Attributes that a place's new name changes; one update moves the place in the list by name. */
export function placeNameAttributes({ id, name }: { id: string; name: string }, shards: number) {
  return { name, ...placeListKey(shardOf(id, shards), name, id) };
}

/** `shards` is the shard count of the list of rooms. */
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

/** The table's key attributes of an item, which are always texts. */
export function keyOf(item: Document): { pk: string; sk: string } {
  const { pk, sk } = item;
  if (typeof pk !== 'string' || typeof sk !== 'string')
    throw new TypeError('not an item of the table');
  return { pk, sk };
}
