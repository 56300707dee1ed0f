import { placeNotFound } from './place-store.ts';
import { roomNotFound } from './room-store.ts';
import type { Places } from '@engawa/http';
import type { RoomAddress } from './room-store.ts';

/** @throws Problem `place-not-found` for a place that the client may not see, whether or not it exists */
export function expectAllowedPlace(place: string, places: Places): void {
  if (!places.allows(place)) throw placeNotFound(place);
}

/** @throws Problem `room-not-found` for a room that the client may not see, whether or not it exists */
export function expectAllowedRoom(room: RoomAddress, places: Places): void {
  if (!places.allows(room.place)) throw roomNotFound(room);
}
