import { placeNotFound } from './place-store.ts';
import { roomNotFound } from './room-store.ts';
import type { Places } from '@engawa/http';
import type { RoomAddress } from './room-store.ts';

/** @throws Problem `place-not-found` where the caller may not look, whether or not anything is there */
export function expectOwnPlace(place: string, places: Places): void {
  if (!places.allows(place)) throw placeNotFound(place);
}

/** @throws Problem `room-not-found` where the caller may not look, whether or not anything is there */
export function expectOwnRoom(room: RoomAddress, places: Places): void {
  if (!places.allows(room.place)) throw roomNotFound(room);
}
