import { entityTag, expectedRevision, ifMatchRevision, putHeaders, route } from '@engawa/http';
import { correctionId, deviceId } from '@engawa/model';
import { z } from 'zod';
import { correctionAccess, shownCorrection } from '../corrections/correction-access.ts';
import { correctionBody, correctionOutput } from '../corrections/correction-schemas.ts';
import { correctionNotFound, revisedOf } from '../corrections/correction-store.ts';
import { limitedCorrection } from '../corrections/limited-correction.ts';
import { requestedCorrection } from '../corrections/requested-correction.ts';
import { allowedDevice, expectAllowedDevice } from '../devices/allowed-device.ts';
import { allowedStays } from '../placements/allowed-stays.ts';
import { revisionOf } from '../revision.ts';
import type { Route } from '@engawa/http';
import type { Correction } from '@engawa/model';
import type { CorrectionCaller } from '../corrections/correction-access.ts';
import type { CorrectionConditions, CorrectionStore } from '../corrections/correction-store.ts';
import type { DeviceStore } from '../devices/device-store.ts';
import type { PlacementStore } from '../placements/placement-store.ts';

export interface CorrectionRoutesOptions {
  devices: DeviceStore;
  placements: PlacementStore;
  corrections: CorrectionStore;
}

const path = '/v1/devices/{id}/corrections/{correction}';
const params = z.strictObject({ id: deviceId, correction: correctionId });
const tags = ['corrections'];

export const putCorrection = (options: CorrectionRoutesOptions): Route =>
  route({
    method: 'put',
    path,
    operationId: 'putCorrection',
    summary:
      'Correct readings of a device: delete, replace or ignore them, or mark a counter reset',
    description:
      'A correction applies to all readings of its range, including later ones, until it is undone. Stored readings are not changed. Corrections apply in the order of their creation. The request is idempotent. The query service applies the correction within 5 seconds, also to aggregates. A correction by a token that is restricted to places applies only to the times in which the device is at one of them, and ends when the device moves to another place.',
    tags,
    params,
    headers: putHeaders,
    body: correctionBody,
    exactNumbers: true,
    responses: {
      200: {
        description: 'The existing correction of an equal request.',
        schema: correctionOutput,
      },
      201: { description: 'The new correction.', schema: correctionOutput },
    },
    problems: [
      'device-not-found',
      'correction-not-found',
      'correction-exists',
      'already-exists',
      'version-mismatch',
      'too-many-corrections',
      'too-many-conflicts',
      'table-throttled',
      'not-supported-by-table',
    ],
    filtersByPlace: true,
    handle: async ({ params: { id, correction }, headers, body, subject, ...caller }) => {
      const { devices, corrections } = options;
      const expected = expectedRevision(headers);
      await expectAllowedDevice(devices, id, caller.places);
      const who = { device: id, id: correction, ...(subject !== undefined && { by: subject }) };
      const requested = requestedCorrection(who, body, Date.now());
      const made = await corrections.make(requested, { expected, ...limitFor(options, caller) });
      return {
        status: made.created ? 201 : 200,
        headers: { ETag: tagOf(made.correction) },
        body: await shownCorrection(devices, made.correction),
      };
    },
  });

export const getCorrection = (options: CorrectionRoutesOptions): Route =>
  route({
    method: 'get',
    path,
    operationId: 'getCorrection',
    summary: 'A correction of readings',
    tags,
    params,
    hasEntityTag: true,
    responses: { 200: { description: 'The correction.', schema: correctionOutput } },
    problems: ['device-not-found', 'correction-not-found', 'too-many-conflicts'],
    filtersByPlace: true,
    handle: async ({ params: { id, correction }, ...caller }) => {
      const isOwn = await correctionAccess(options, id, caller);
      const found = await options.corrections.get(id, correction);
      if (!isOwn(found)) throw correctionNotFound(correction);
      const body = await shownCorrection(options.devices, found);
      return { status: 200, headers: { ETag: tagOf(found) }, body };
    },
  });

export const undoCorrection = (options: CorrectionRoutesOptions): Route =>
  route({
    method: 'delete',
    path,
    operationId: 'undoCorrection',
    summary: 'Undo a correction',
    description:
      'Readings are shown as before the correction. The undone correction stays in the list, with the time and the client of the undo; its id cannot be used again. The request is idempotent.',
    tags,
    params,
    headers: z.object({ 'if-match': ifMatchRevision }),
    responses: { 204: { description: 'The correction is undone.' } },
    problems: [
      'device-not-found',
      'correction-not-found',
      'version-mismatch',
      'too-many-conflicts',
      'table-throttled',
      'not-supported-by-table',
    ],
    filtersByPlace: true,
    handle: async ({ params: { id, correction }, headers, subject, ...caller }) => {
      const isOwn = await correctionAccess(options, id, caller);
      if (caller.places.isRestricted && !isOwn(await options.corrections.get(id, correction))) {
        throw correctionNotFound(correction);
      }
      const by = subject !== undefined && { by: subject };
      await options.corrections.undo({ device: id, id: correction, ...by }, headers['if-match']);
      return { status: 204 };
    },
  });

function tagOf(correction: Correction): string {
  return entityTag(revisionOf(revisedOf(correction)));
}

/** Limits corrections of a client that is restricted to places. */
function limitFor(
  { placements }: CorrectionRoutesOptions,
  { places, budget, signal }: CorrectionCaller,
): Pick<CorrectionConditions, 'limit'> {
  if (!places.isRestricted) return {};
  return {
    limit: async (requested, device) => {
      allowedDevice(device.device, places);
      const { times } = await allowedStays({ placements, device, places, budget, signal });
      return limitedCorrection(requested, times);
    },
  };
}
