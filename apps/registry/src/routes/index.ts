import { getCorrection, putCorrection, undoCorrection } from './corrections.ts';
import { createDevices } from './create-devices.ts';
import { createPlaces } from './create-places.ts';
import { deleteDevice } from './delete-device.ts';
import { deletePlace, deleteRoom } from './delete-place.ts';
import { getDevice } from './get-device.ts';
import { getPlace, listDevicesOfPlace, listRoomsOfPlace } from './get-place.ts';
import { getRoom } from './get-room.ts';
import { listCorrections } from './list-corrections.ts';
import { listDevices } from './list-devices.ts';
import { listPlacements } from './list-placements.ts';
import { listPlaces, listRooms } from './list-places.ts';
import { placeDevice, takeDeviceAway } from './place-device.ts';
import { putDevice } from './put-device.ts';
import { putPlace, renamePlace } from './put-place.ts';
import { putRoom, renameRoom } from './put-room.ts';
import { renameDevice } from './rename-device.ts';
import type { CursorCodec, Route } from '@engawa/http';
import type { CorrectionStore } from '../corrections/correction-store.ts';
import type { DeviceStore } from '../devices/device-store.ts';
import type { Deletions } from '../purges/deletions.ts';
import type { PlaceStore } from '../places/place-store.ts';
import type { PlacementStore } from '../placements/placement-store.ts';
import type { RoomStore } from '../places/room-store.ts';

export interface RegistryRoutesOptions {
  devices: DeviceStore;
  places: PlaceStore;
  rooms: RoomStore;
  placements: PlacementStore;
  corrections: CorrectionStore;
  deletions: Deletions;
  cursors: CursorCodec;
}

/** All routes of the registry, in the order in which they are matched. */
export function registryRoutes(options: RegistryRoutesOptions): Route[] {
  return [...deviceRoutes(options), ...placeRoutes(options)];
}

function deviceRoutes(options: RegistryRoutesOptions): Route[] {
  return [
    listDevices(options),
    createDevices(options),
    getDevice(options),
    putDevice(options),
    renameDevice(options),
    deleteDevice(options),
    listCorrections(options),
    getCorrection(options),
    putCorrection(options),
    undoCorrection(options),
  ];
}

function placeRoutes(options: RegistryRoutesOptions): Route[] {
  return [
    listPlaces(options),
    createPlaces(options),
    getPlace(options),
    putPlace(options),
    renamePlace(options),
    deletePlace(options),
    listRoomsOfPlace(options),
    listDevicesOfPlace(options),
    placeDevice(options),
    takeDeviceAway(options),
    listRooms(options),
    getRoom(options),
    putRoom(options),
    renameRoom(options),
    deleteRoom(options),
    listPlacements(options),
  ];
}
