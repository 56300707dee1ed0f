import { inParallel, jsonEntries, maxBulkBytes, ndjson, route } from '@engawa/http';
import { parseExactJson, placeId, roomId } from '@engawa/model';
import { z } from 'zod';
import { CreationReport, reportOutput } from '../places/creation-report.ts';
import { annotations, placeName, roomName } from '../places/place-schemas.ts';
import type { JsonLine, Places, Route } from '@engawa/http';
import type { PlaceStore } from '../places/place-store.ts';
import type { RoomStore } from '../places/room-store.ts';

export interface CreatePlacesOptions {
  places: PlaceStore;
  rooms: RoomStore;
}

interface Creation extends CreatePlacesOptions {
  permitted: Places;
}

/** Maximum rooms of one entry: with the check of the place, one transaction. */
const maxRooms = 99;
const maxConcurrentEntries = 16;

const entry = z
  .strictObject({
    id: placeId,
    name: placeName,
    ...annotations,
    rooms: z
      .array(z.strictObject({ id: roomId, name: roomName, ...annotations }))
      .max(maxRooms)
      .refine(
        (rooms) => new Set(rooms.map(({ id }) => id)).size === rooms.length,
        'must not have two rooms of one id',
      )
      .optional(),
  })
  .meta({ id: 'NewPlace' });

export const createPlaces = ({ places, rooms }: CreatePlacesOptions): Route =>
  route({
    method: 'post',
    path: '/v1/places',
    operationId: 'createPlaces',
    summary: 'Create any number of places with their rooms',
    description:
      'One place, an array, or one per line (NDJSON), processed as a stream. Existing places and rooms are not changed. Idempotent: after a problem, or without a response, send the whole body again.',
    tags: ['places'],
    streamed: {
      types: { [ndjson]: entry, 'application/json': z.union([entry, z.array(entry)]) },
      maxBytes: maxBulkBytes,
    },
    responses: {
      200: { description: 'The outcome of the entries.', schema: reportOutput },
    },
    problems: [
      'too-many-conflicts',
      'table-throttled',
      'not-supported-by-table',
      'table-unavailable',
    ],
    filtersByPlace: true,
    handle: async ({ stream, places: permitted, signal }) => {
      const report = new CreationReport();
      await inParallel(
        jsonEntries(stream, { parse: parseExactJson }),
        maxConcurrentEntries,
        async (line) => {
          signal.throwIfAborted();
          await create({ places, rooms, permitted }, line, report);
        },
      );
      return { status: 200, body: report.toBody() };
    },
  });

async function create(
  { places, rooms, permitted }: Creation,
  line: JsonLine,
  report: CreationReport,
): Promise<void> {
  const place = report.entries.validate(line, entry);
  if (place === undefined) return;
  if (!permitted.allows(place.id)) {
    report.entries.reject(line.line, 'id: must be one of the places of your token');
    return;
  }
  await report.entries.rejectOnProblem(line, async () => {
    const { rooms: wanted = [], ...described } = place;
    const isNew = await places.createMissing(described);
    report.count('places', isNew ? 1 : 0, 1);
    report.count('rooms', await rooms.createMissing(place.id, wanted), wanted.length);
  });
}
