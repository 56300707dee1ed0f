import { pageQuery, questionOf, route } from '@engawa/http';
import { byteLength, collated, namePrefix as sortKeyPrefix } from '@engawa/keys';
import { z } from 'zod';
import { listedDevice, longestName, showListed } from '../device-schemas.ts';
import type { CursorCodec, Route } from '@engawa/http';
import type { DeviceStore } from '../device-store.ts';

export interface ListDevicesOptions {
  devices: DeviceStore;
  cursors: CursorCodec;
}

const operationId = 'listDevices';

/**
 * Bytes of the collated name that the sort key of every device holds, however long its id is: 1,024, less the
 * separator and an id of 128 characters of 3 bytes. Behind a longer prefix a name that was cut would be missed.
 */
const longestPrefix = 1024 - 1 - 3 * 128;

const query = z.strictObject({
  namePrefix: z
    .string()
    .min(1)
    .max(longestName)
    .refine(
      (prefix) => byteLength(sortKeyPrefix(prefix)) <= longestPrefix,
      `must have at most ${longestPrefix} bytes without regard to case and width`,
    )
    .optional()
    .describe('What the name begins with, without regard to case and width.'),
  ...pageQuery,
});

const answer = z.strictObject({
  items: z.array(listedDevice),
  cursor: z.string().optional().describe('Gives the next page; the last page has none.'),
});

export const listDevices = ({ devices, cursors }: ListDevicesOptions): Route =>
  route({
    method: 'get',
    path: '/v1/devices',
    operationId,
    summary: 'The devices in the order of their names',
    tags: ['devices'],
    query,
    answers: { 200: { description: 'A page of devices.', schema: answer } },
    handle: async ({ query: { namePrefix, limit, cursor }, signal }) => {
      const question = questionOf(operationId, {
        namePrefix: namePrefix === undefined ? null : collated('namePrefix', namePrefix),
      });
      const after =
        cursor === undefined ? undefined : z.string().parse(cursors.decode(question, cursor));
      const page = await devices.list({ namePrefix, limit, after, signal });
      return {
        status: 200,
        body: {
          items: page.rows.map(({ device }) => showListed(device)),
          cursor: page.after && cursors.encode(question, page.after),
        },
      };
    },
  });
