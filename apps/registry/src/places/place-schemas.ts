import { deviceKinds } from '@engawa/model';
import { z } from 'zod';
import { labels, labelsPatch } from '../annotations/labels-schema.ts';
import { metadata, metadataPatch } from '../annotations/metadata-schema.ts';
import { showAnnotations, shownAnnotations } from '../annotations/show-annotations.ts';
import { deviceName } from '../devices/device-schemas.ts';
import type { Membership, Place, Placement, Room } from '@engawa/model';
import type { Stay } from '../placements/placement-history.ts';

export const placeName = deviceName.describe('What people call the place.');
export const roomName = deviceName.describe('What people call the room.');

const version = z.int().describe('Raised by each change; the ETag holds it.');

export const shownPlace = z.strictObject({
  id: z.string(),
  name: z.string(),
  registeredAt: z.iso.datetime(),
  version,
  ...shownAnnotations,
});

/** What a new place or room may have beside its name; the room's OpenAPI says the same. */
export const annotations = { labels: labels.optional(), metadata: metadata.optional() };

/** The body of a PATCH of a place or room. */
export function changeBody(name: z.ZodType<string, string>) {
  return z
    .strictObject({
      name: name.optional(),
      labels: labelsPatch.optional(),
      metadata: metadataPatch.optional(),
    })
    .refine((changes) => Object.keys(changes).length > 0, 'must have something to change');
}

export const shownRoom = z.strictObject({
  place: z.string(),
  ...shownPlace.shape,
});

/** A device where it is. */
export const shownPlacement = z.strictObject({
  device: z.string().describe('The id of the device.'),
  name: z.string(),
  kind: z.enum(deviceKinds),
  room: z.string().optional().describe('The id of the room; without it, the device is in none.'),
  since: z.iso
    .datetime()
    .describe('When it came to this room, or to the place where it is in none.'),
  lastEventAt: z.iso.datetime().optional().describe('When something last happened to it here.'),
  lastEvent: z
    .record(z.string(), z.union([z.number(), z.string(), z.boolean(), z.null()]))
    .optional()
    .describe('What happened, such as `{ "contact": "open" }`.'),
});

/** A device in a room. */
export const shownMember = z.strictObject({ device: z.string(), since: z.iso.datetime() });

/** A time that a device spent somewhere. */
export const shownStay = z.strictObject({
  place: z.string(),
  room: z.string().optional().describe('Absent where it was in no room of the place.'),
  since: z.iso.datetime(),
  until: z.iso.datetime().optional().describe('Absent while it lasts.'),
});

export function showPlace({ id, name, registeredAt, version, ...annotations }: Place) {
  const shown = { id, name, registeredAt: new Date(registeredAt), version };
  return { ...shown, ...showAnnotations(annotations) };
}

export function showRoom(room: Room) {
  return { place: room.place, ...showPlace(room) };
}

export function showPlacement({ device, name, kind, room, since, ...event }: Placement) {
  const { lastEventAt, lastEvent } = event;
  return {
    device,
    name,
    kind,
    room,
    since: new Date(since),
    ...(lastEventAt !== undefined && { lastEventAt: new Date(lastEventAt) }),
    ...(lastEvent !== undefined && { lastEvent }),
  };
}

export function showMember({ device, since }: Membership) {
  return { device, since: new Date(since) };
}

export function showStay({ place, room, since, until }: Stay) {
  return {
    place,
    room,
    since: new Date(since),
    ...(until !== undefined && { until: new Date(until) }),
  };
}
