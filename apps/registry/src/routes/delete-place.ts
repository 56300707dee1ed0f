import { Problem } from '@engawa/errors';
import { ifMatchRevision, route } from '@engawa/http';
import { placeId, roomId } from '@engawa/model';
import { z } from 'zod';
import { expectAllowedPlace, expectAllowedRoom } from '../places/allowed-place.ts';
import type { Route } from '@engawa/http';
import type { PlacementStore } from '../placements/placement-store.ts';
import type { Deletions } from '../purges/deletions.ts';

const headers = z.object({ 'if-match': ifMatchRevision });
const responses = { 204: { description: 'Deleted.' } };

export interface DeletePlaceOptions {
  placements: PlacementStore;
  deletions: Deletions;
}

export const deletePlace = ({ placements, deletions }: DeletePlaceOptions): Route =>
  route({
    method: 'delete',
    path: '/v1/places/{id}',
    operationId: 'deletePlace',
    summary: 'Delete a place with its rooms and its history',
    description:
      'The place is deleted at once; its rooms and its history are purged soon after. Its devices and their readings are kept; the devices then have no placement. A token that is restricted to places can delete a place without devices only.',
    tags: ['places'],
    scope: 'admin',
    params: z.strictObject({ id: placeId }),
    headers,
    responses,
    problems: [
      'place-not-found',
      'beyond-places',
      'version-mismatch',
      'too-many-conflicts',
      'table-throttled',
      'not-supported-by-table',
    ],
    filtersByPlace: true,
    handle: async ({ params: { id: place }, headers, places }) => {
      expectAllowedPlace(place, places);
      if (places.isRestricted && (await placements.hasDevices(place))) throw hasDevices(place);
      await deletions.location({ place, revision: headers['if-match'] });
      return { status: 204 };
    },
  });

export const deleteRoom = ({ deletions }: { deletions: Deletions }): Route =>
  route({
    method: 'delete',
    path: '/v1/rooms/{place}/{room}',
    operationId: 'deleteRoom',
    summary: 'Delete a room with its history',
    description:
      'The room is deleted at once; its history is purged soon after. Its devices and their readings are kept; the devices stay at the place, in no room.',
    tags: ['rooms'],
    scope: 'admin',
    params: z.strictObject({ place: placeId, room: roomId }),
    headers,
    responses,
    problems: [
      'room-not-found',
      'version-mismatch',
      'too-many-conflicts',
      'table-throttled',
      'not-supported-by-table',
    ],
    filtersByPlace: true,
    handle: async ({ params, headers, places }) => {
      expectAllowedRoom({ place: params.place, id: params.room }, places);
      await deletions.location({ ...params, revision: headers['if-match'] });
      return { status: 204 };
    },
  });

/** Without a place the devices would be beyond the reach of the token. */
function hasDevices(place: string): Problem {
  const detail = `Without the place ${JSON.stringify(place)} its devices would be out of your reach. Move them to another place, or delete them, first.`;
  return new Problem('beyond-places', detail);
}
