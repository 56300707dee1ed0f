import {
  BulkReport,
  inParallel,
  jsonEntries,
  maxBulkBytes,
  ndjson,
  route,
  bulkFailureFields,
} from '@engawa/http';
import { deviceId, parseExactJson } from '@engawa/model';
import { z } from 'zod';
import { reportOutput } from '../places/creation-report.ts';
import { deviceFields } from '../devices/device-schemas.ts';
import type { Route } from '@engawa/http';
import type { DeviceStore } from '../devices/device-store.ts';

const maxConcurrentEntries = 16;

const entry = z.strictObject({ id: deviceId, ...deviceFields }).meta({ id: 'NewDevice' });

const { places: counts } = reportOutput.shape;

export const createDevices = ({ devices }: { devices: DeviceStore }): Route =>
  route({
    method: 'post',
    path: '/v1/devices',
    operationId: 'createDevices',
    summary: 'Register any number of devices',
    description:
      'One device, an array, or one per line (NDJSON), processed as a stream. Existing devices are not changed. Idempotent: after a problem, or without a response, send the whole body again.',
    tags: ['devices'],
    streamed: {
      types: { [ndjson]: entry, 'application/json': z.union([entry, z.array(entry)]) },
      maxBytes: maxBulkBytes,
    },
    responses: {
      200: {
        description: 'The outcome of the entries.',
        schema: z.strictObject({ devices: counts, ...bulkFailureFields }),
      },
    },
    problems: ['too-many-conflicts', 'table-throttled', 'table-unavailable'],
    handle: async ({ stream, signal }) => {
      const report = new BulkReport();
      const devicesReport = { created: 0, existing: 0 };
      await inParallel(
        jsonEntries(stream, { parse: parseExactJson }),
        maxConcurrentEntries,
        async (line) => {
          signal.throwIfAborted();
          const device = report.validate(line, entry);
          if (device === undefined) return;
          const { id, ...fields } = device;
          await report.rejectOnProblem(line, async () => {
            const isNew = await devices.createMissing(id, fields);
            devicesReport[isNew ? 'created' : 'existing'] += 1;
          });
        },
      );
      return { status: 200, body: { devices: devicesReport, ...report.toBody() } };
    },
  });
