import { openHotPartitions } from '@engawa/hot-partitions';
import { CursorCodec, startHttpService, startProbes } from '@engawa/http';
import { openTable } from '@engawa/table';
import { CorrectionStore } from './corrections/correction-store.ts';
import { DeviceStore } from './devices/device-store.ts';
import { Deletions } from './purges/deletions.ts';
import { purgeRunner } from './purges/purge-runner.ts';
import { DeviceCache } from './devices/device-cache.ts';
import { PlaceStore } from './places/place-store.ts';
import { PlacementStore } from './placements/placement-store.ts';
import { RoomStore } from './places/room-store.ts';
import { registryRoutes } from './routes/index.ts';
import type { ServiceContext } from '@engawa/service';
import type { Config } from './config.ts';

export { settings } from './config.ts';

/** The composition root: creates all clients and opens all ports. */
export async function start(context: ServiceContext<Config>): Promise<void> {
  const { config, log, signal, onClose } = context;

  await startProbes(context);

  const { table, shards, watchHeat } = openTable(context);
  const heat = watchHeat();

  const stored = { table, shards, known: new DeviceCache() };
  const placements = new PlacementStore(stored);
  const quiescenceMs = config.PURGE_QUIESCENCE_SECONDS * 1000;
  const intervalMs = config.PURGE_REFRESH_MS;
  const purges = purgeRunner({ table, placements, log, intervalMs, quiescenceMs });
  await startHttpService(context, {
    title: 'Engawa registry',
    description:
      'Manages devices, places and rooms, and the current and former locations of devices.',
    routes: registryRoutes({
      devices: new DeviceStore({ ...stored, quiescenceMs }),
      places: new PlaceStore(stored),
      rooms: new RoomStore(stored),
      placements,
      corrections: new CorrectionStore(table),
      deletions: new Deletions({ ...stored, purges }),
      cursors: new CursorCodec({ secret: config.CURSOR_SECRET, log }),
    }).concat(openHotPartitions(context, heat)),
  });
  // Closed first: a purge job may take long, and continues on another replica.
  onClose('purges', () => purges.close());

  await table.waitUntilReady(signal);
  await purges.start();
}
