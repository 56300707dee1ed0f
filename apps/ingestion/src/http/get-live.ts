import { Problem } from '@engawa/errors';
import { repeatedParameter, route } from '@engawa/http';
import { deviceId, placeId, roomId } from '@engawa/model';
import { z } from 'zod';
import { fieldsOutput } from './reading-schemas.ts';
import type { Route } from '@engawa/http';
import type { LiveFeed } from '../live/live-feed.ts';

export interface GetLiveOptions {
  live: Pick<LiveFeed, 'admits' | 'listen' | 'listenersOf'>;
}

/** Maximum number of values of each parameter. */
const maxValues = 100;
/** `<process>:<sequence>`, with room for ids of other versions. */
const maxIdLength = 100;

const roomOfPlace = z
  .string()
  .meta({ pattern: '^[^/]+/[^/]+$' })
  .transform((text, context) => {
    const [place, room, ...others] = text.split('/').map(decoded);
    const parsed = z.strictObject({ place: placeId, room: roomId }).safeParse({ place, room });
    if (parsed.success && others.length === 0) return parsed.data;
    context.addIssue('must be place/room, where / and % in an id are percent-encoded');
    return z.NEVER;
  });

const many = { maximum: maxValues };

const query = z.strictObject({
  device: repeatedParameter(deviceId, many).optional().describe('Readings of this device.'),
  room: repeatedParameter(roomOfPlace, many)
    .optional()
    .describe(
      'Readings taken in this room, as `place/room`; a `/` or `%` in an id is percent-encoded.',
    ),
  place: repeatedParameter(placeId, many).optional().describe('Readings taken at this place.'),
});

const liveReading = z
  .strictObject({
    device: z.string(),
    place: z.string().optional().describe('Absent if the device was not placed at that time.'),
    room: z.string().optional(),
    time: z.iso.datetime(),
    fields: fieldsOutput,
  })
  .meta({ id: 'LiveReading' });

const liveEvent = z
  .union([
    z.strictObject({
      id: z.string().describe('Value of `Last-Event-ID` after this event.'),
      event: z.literal('reading'),
      data: liveReading,
    }),
    z.strictObject({
      event: z.literal('lost'),
      data: z.strictObject({
        count: z.int().optional().describe('Number of lost readings; absent if it is unknown.'),
      }),
    }),
  ])
  .meta({ id: 'LiveEvent' });

const description = [
  'The readings that this replica stores, as Server-Sent Events, each sent once its block is durable. With several parameters, a',
  'reading is sent if any of them selects it; a device, room or place need not exist yet. Readings of pending devices are not',
  'sent. With a token that is restricted to places, only readings taken there are sent.',
  '',
  'Events of `reading` have an id; `Last-Event-ID` resumes after it, for about a minute. `lost` says that readings are missing',
  'here: the client read too slowly and lost the oldest, or the resumed stream has a gap. A comment with an id (and no event) is',
  'sent at first and every 15 seconds: a client that is disconnected before its first event resumes after this id.',
  'The stream ends when the token expires or the replica closes. Other replicas send the readings that they store.',
].join('\n');

export const getLive = ({ live }: GetLiveOptions): Route =>
  route({
    method: 'get',
    path: '/v1/live',
    operationId: 'getLive',
    summary: 'Readings as they are stored',
    description,
    tags: ['readings'],
    query,
    headers: z.object({
      'last-event-id': z
        .string()
        .max(maxIdLength)
        .optional()
        .describe('The last id received, of an event or a comment; the stream continues after it.'),
    }),
    responses: { 200: { description: 'A stream of events.', events: liveEvent } },
    filtersByPlace: true,
    problems: ['too-many-at-once'],
    handle: ({ query: { device = [], room = [], place = [] }, headers, places, client }) => {
      const admission = live.admits(client);
      if (admission === 'full') throw full();
      if (admission === 'share') throw shareReached(live.listenersOf(client));
      const filter = { devices: device, rooms: room, places: place };
      const lastEventId = headers['last-event-id'];
      return {
        status: 200,
        events: (stream) => live.listen({ filter, places, client, lastEventId, stream }),
      };
    },
  });

function full(): Problem {
  return new Problem(
    'overloaded',
    'This replica has its maximum of live listeners (MAX_LIVE_LISTENERS). Retry later, or read the latest readings from the query service.',
  );
}

function shareReached(own: number): Problem {
  return new Problem(
    'too-many-at-once',
    `This client has ${own} live listeners, the maximum for one client at the moment. One stream may select up to ${maxValues} devices, rooms and places.`,
  );
}

/** @returns text that is no id if it is not percent-encoded correctly */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
