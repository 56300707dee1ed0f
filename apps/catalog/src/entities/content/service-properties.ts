import { z } from 'zod';

const ignored = z.unknown().optional().describe('Ignored; set by the service.');

/** Properties of a response that a body may have, so that the response can be sent back unchanged. */
export const serviceProperties = {
  createdAt: ignored,
  updatedAt: ignored,
  version: ignored,
  unconverted: ignored,
  unindexed: ignored,
  relationParts: ignored.describe('Ignored: the stored relations stay.'),
  cursor: ignored,
};
