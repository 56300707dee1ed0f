import { createHttpApp } from '@engawa/http';
import { version } from '@engawa/service';
import { getCorrection, putCorrection, undoCorrection } from './routes/corrections.ts';
import { createDevices } from './routes/create-devices.ts';
import { createPlaces } from './routes/create-places.ts';
import { deleteDevice } from './routes/delete-device.ts';
import { deletePlace, deleteRoom } from './routes/delete-place.ts';
import { getDevice } from './routes/get-device.ts';
import { getPlace, listDevicesOfPlace, listRoomsOfPlace } from './routes/get-place.ts';
import { getRoom } from './routes/get-room.ts';
import { listCorrections } from './routes/list-corrections.ts';
import { listDevices } from './routes/list-devices.ts';
import { listPlacements } from './routes/list-placements.ts';
import { listPlaces, listRooms } from './routes/list-places.ts';
import { placeDevice, takeDeviceAway } from './routes/place-device.ts';
import { putDevice } from './routes/put-device.ts';
import { putPlace, renamePlace } from './routes/put-place.ts';
import { putRoom, renameRoom } from './routes/put-room.ts';
import { renameDevice } from './routes/rename-device.ts';
import type { CursorCodec, HttpGuards, HttpMetrics, Route } from '@engawa/http';
import type { Express } from 'express';
import type { Logger } from 'pino';
import type { CorrectionStore } from './corrections/correction-store.ts';
import type { DeviceStore } from './devices/device-store.ts';
import type { Deletions } from './purges/deletions.ts';
import type { PlaceStore } from './places/place-store.ts';
import type { PlacementStore } from './placements/placement-store.ts';
import type { RoomStore } from './places/room-store.ts';

export interface AppOptions {
  devices: DeviceStore;
  places: PlaceStore;
  rooms: RoomStore;
  placements: PlacementStore;
  corrections: CorrectionStore;
  deletions: Deletions;
  cursors: CursorCodec;
  hotPartitions: Route[];
  guards: HttpGuards;
  metrics: HttpMetrics;
  log: Logger;
}

/** The API of the registry; never listens. */
export function createApp(options: AppOptions): Express {
  const { guards, metrics, log } = options;
  return createHttpApp({
    title: 'Engawa registry',
    description:
      'Devices, places and rooms: find them, look at them, name them, and say what is where.',
    version,
    routes: [...deviceRoutes(options), ...placeRoutes(options), ...options.hotPartitions],
    guards,
    log,
    metrics,
  });
}

function deviceRoutes(options: AppOptions): Route[] {
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

function placeRoutes(options: AppOptions): Route[] {
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
