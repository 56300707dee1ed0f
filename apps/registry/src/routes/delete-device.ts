import { ifMatch, route } from '@engawa/http';
import { deviceId } from '@engawa/model';
import { z } from 'zod';
import type { Route } from '@engawa/http';
import type { Deletions } from '../erasures/deletions.ts';

export const deleteDevice = ({ deletions }: { deletions: Deletions }): Route =>
  route({
    method: 'delete',
    path: '/v1/devices/{id}',
    operationId: 'deleteDevice',
    summary: 'Delete a device with its readings and its history',
    description:
      'It is gone at once, and what belongs to it soon after. Readings of a later time are kept: where devices register themselves, one that goes on sending is there again, with nothing of before.',
    tags: ['devices'],
    scope: 'admin',
    params: z.strictObject({ id: deviceId }),
    headers: z.object({ 'if-match': ifMatch }),
    answers: { 204: { description: 'It is deleted.' } },
    problems: ['device-not-found', 'version-mismatch', 'table-throttled', 'not-supported-by-table'],
    handle: async ({ params: { id }, headers }) => {
      await deletions.device({ id, version: headers['if-match'] });
      return { status: 204 };
    },
  });
