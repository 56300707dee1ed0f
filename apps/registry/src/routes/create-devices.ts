import {
  EntryReport,
  inParallel,
  jsonEntries,
  largestBody,
  ndjson,
  route,
  shownFailures,
} from '@engawa/http';
import { deviceId, parseExactJson } from '@engawa/model';
import { z } from 'zod';
import { shownReport } from '../places/creation-report.ts';
import { deviceFields } from '../devices/device-schemas.ts';
import type { Route } from '@engawa/http';
import type { DeviceStore } from '../devices/device-store.ts';

const entriesAtOnce = 16;

const entry = z.strictObject({ id: deviceId, ...deviceFields }).meta({ id: 'NewDevice' });

const { places: counts } = shownReport.shape;

export const createDevices = ({ devices }: { devices: DeviceStore }): Route =>
  route({
    method: 'post',
    path: '/v1/devices',
    operationId: 'createDevices',
    summary: 'Register devices, as many as you like',
    description:
      'One device, an array of them, or one a line (NDJSON), read as they come. What is there already stays as it is. After a problem, or no answer, send all of it again.',
    tags: ['devices'],
    streamed: {
      types: { [ndjson]: entry, 'application/json': z.union([entry, z.array(entry)]) },
      limit: largestBody,
    },
    answers: {
      200: {
        description: 'What became of the entries.',
        schema: z.strictObject({ devices: counts, ...shownFailures }),
      },
    },
    problems: ['table-throttled', 'table-unavailable'],
    handle: async ({ stream, signal }) => {
      const report = new EntryReport();
      const devicesReport = { created: 0, existing: 0 };
      await inParallel(
        jsonEntries(stream, { parse: parseExactJson }),
        entriesAtOnce,
        async (line) => {
          signal.throwIfAborted();
          const device = report.checked(line, entry);
          if (device === undefined) return;
          const { id, ...fields } = device;
          await report.unlessRefused(line, async () => {
            const isNew = await devices.createMissing(id, fields);
            devicesReport[isNew ? 'created' : 'existing'] += 1;
          });
        },
      );
      return { status: 200, body: { devices: devicesReport, ...report.shown() } };
    },
  });
