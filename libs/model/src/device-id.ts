import { id, KeyError } from '@engawa/keys';
import { z } from 'zod';

/** The id of a device as a part of an address or a body; the rules are those of the keys, so that they are in one place. */
export const deviceId = z
  .string()
  .transform((text, context) => {
    try {
      return id('device', text);
    } catch (error) {
      if (!(error instanceof KeyError)) throw error;
      context.addIssue(error.reason);
      return z.NEVER;
    }
  })
  .describe('The id of the device: 1 to 128 characters, percent-encoded.');
