import { createHttpApp } from '@engawa/http';
import { getDevice } from './routes/get-device.ts';
import { listDevices } from './routes/list-devices.ts';
import { renameDevice } from './routes/rename-device.ts';
import type { CursorCodec, HttpMetrics } from '@engawa/http';
import type { Express } from 'express';
import type { Logger } from 'pino';
import type { DeviceStore } from './device-store.ts';

export interface AppOptions {
  devices: DeviceStore;
  cursors: CursorCodec;
  metrics: HttpMetrics;
  log: Logger;
}

/** The API of the registry; never listens. */
export function createApp({ devices, cursors, metrics, log }: AppOptions): Express {
  return createHttpApp({
    title: 'Engawa registry',
    description: 'Devices: find them, look at them, name them.',
    version: '1.0.0',
    routes: [listDevices({ devices, cursors }), getDevice({ devices }), renameDevice({ devices })],
    log,
    metrics,
  });
}
