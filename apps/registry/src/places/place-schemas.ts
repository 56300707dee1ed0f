import { deviceKinds } from '@engawa/model';
import { z } from 'zod';
import { labels, labelsPatch } from '../annotations/labels-schema.ts';
import { metadata, metadataPatch } from '../annotations/metadata-schema.ts';
import { showAnnotations, annotationsOutput } from '../annotations/show-annotations.ts';
import { displayName } from '../display-name.ts';
import type { Membership, Place, Placement, Room } from '@engawa/model';

export const placeName = displayName.describe('The display name.');
export const roomName = displayName.describe('The display name.');

const version = z.int().describe('Incremented by each change; a part of the ETag.');

export const placeOutput = z.strictObject({
  id: z.string(),
  name: z.string(),
  registeredAt: z.iso.datetime(),
  version,
  ...annotationsOutput,
});

/** The optional properties of a new place or room. */
export const annotations = { labels: labels.optional(), metadata: metadata.optional() };

/** The body of a PATCH of a place or room. */
export function changeBody(name: z.ZodType<string, string>) {
  return z
    .strictObject({
      name: name.optional(),
      labels: labelsPatch.optional(),
      metadata: metadataPatch.optional(),
    })
    .refine((changes) => Object.keys(changes).length > 0, 'must have a property to change');
}

export const roomOutput = z.strictObject({
  place: z.string(),
  ...placeOutput.shape,
});

/** A device at its place. */
export const placementOutput = z.strictObject({
  device: z.string().describe('The id of the device.'),
  name: z.string(),
  kind: z.enum(deviceKinds),
  room: z.string().optional().describe('The id of the room; absent for a device in no room.'),
  since: z.iso
    .datetime()
    .describe('When the device came to this room, or to the place if it is in no room.'),
  lastEventAt: z.iso
    .datetime()
    .optional()
    .describe('When the last event of the device at this place occurred.'),
  lastEvent: z
    .record(z.string(), z.union([z.number(), z.string(), z.boolean(), z.null()]))
    .optional()
    .describe('The last event of the device at this place, such as `{ "contact": "open" }`.'),
});

/** A device in a room. */
export const memberOutput = z.strictObject({ device: z.string(), since: z.iso.datetime() });

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
