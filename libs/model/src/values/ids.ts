import { id, KeyError } from '@engawa/keys';
import { z } from 'zod';

/** Ids that keys accept, for API contracts: no control characters, not `.` and not `..`. */
const pattern = String.raw`^(?!\.{1,2}$)[^\u0000-\u001f\u007f-\u009f]+$`;

/** An id in an address or a body, validated by the rules of the keys. */
export function idSchema(field: string) {
  const written = z.string().meta({ minLength: 1, maxLength: 128, pattern });
  return written.transform((text, context) => {
    try {
      return id(field, text);
    } catch (error) {
      if (!(error instanceof KeyError)) throw error;
      context.addIssue(error.reason);
      return z.NEVER;
    }
  });
}

const rule = '1 to 128 characters, percent-encoded.';

export const deviceId = idSchema('device').describe(`The id of the device: ${rule}`);
export const correctionId = idSchema('correction').describe(
  `The id of the correction, unique among the corrections of the device: ${rule}`,
);
export const placeId = idSchema('place').describe(`The id of the place: ${rule}`);
export const roomId = idSchema('room').describe(`The id of the room, unique in its place: ${rule}`);
export const entityTypeName = idSchema('type').describe(`The name of the type: ${rule}`);
export const entityId = idSchema('id').describe(
  `The id of the entity, unique in its type: ${rule}`,
);
