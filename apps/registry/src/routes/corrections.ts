import { Problem } from '@engawa/errors';
import { entityTag, expectedRevision, ifMatchRevision, putHeaders, route } from '@engawa/http';
import { correctionId, deviceId } from '@engawa/model';
import { z } from 'zod';
import { askedCorrection } from '../corrections/asked-correction.ts';
import {
  correctionBody,
  showCorrection,
  shownCorrection,
} from '../corrections/correction-schemas.ts';
import { correctionNotFound, revisedOf } from '../corrections/correction-store.ts';
import { ownTimes } from '../corrections/own-times.ts';
import { expectOwnDevice } from '../devices/own-device.ts';
import { revisionOf } from '../revision.ts';
import type { Budget, Places, Route } from '@engawa/http';
import type { Correction } from '@engawa/model';
import type { CorrectionStore } from '../corrections/correction-store.ts';
import type { IsOwn } from '../corrections/own-times.ts';
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

interface Caller {
  places: Places;
  budget: Budget;
  signal: AbortSignal;
}

/** @throws Problem `device-not-found` */
export async function correctableBy(
  { devices, placements }: Pick<CorrectionRoutesOptions, 'devices' | 'placements'>,
  device: string,
  caller: Caller,
): Promise<IsOwn> {
  await expectOwnDevice(devices, device, caller.places);
  return ownTimes({ placements, device, ...caller });
}

export const putCorrection = (options: CorrectionRoutesOptions): Route =>
  route({
    method: 'put',
    path,
    operationId: 'putCorrection',
    summary: 'Correct readings of a device: delete or replace them, or say what they mean',
    description:
      'It holds for all readings of the range, also for those that arrive later, until it is undone; what was stored stays as it was. Corrections apply in the order in which they were made. Sent again, it changes nothing. Answers follow within 5 seconds, rollups included.',
    tags,
    params,
    headers: putHeaders,
    body: correctionBody,
    exactNumbers: true,
    answers: {
      200: { description: 'It was made before by the same request.', schema: shownCorrection },
      201: { description: 'It is made.', schema: shownCorrection },
    },
    problems: [
      'device-not-found',
      'correction-not-found',
      'correction-exists',
      'already-exists',
      'version-mismatch',
      'too-many-corrections',
      'table-throttled',
      'not-supported-by-table',
    ],
    keepsToPlaces: true,
    handle: async ({ params: { id, correction }, headers, body, subject, ...caller }) => {
      const expected = expectedRevision(headers);
      const isOwn = await correctableBy(options, id, caller);
      const who = { device: id, id: correction, ...(subject !== undefined && { by: subject }) };
      const asked = askedCorrection(who, body, Date.now());
      if (!isOwn(asked)) throw elsewhere();
      const made = await options.corrections.make(asked, expected);
      return {
        status: made.created ? 201 : 200,
        headers: { ETag: tagOf(made.correction) },
        body: showCorrection(made.correction),
      };
    },
  });

export const getCorrection = (options: CorrectionRoutesOptions): Route =>
  route({
    method: 'get',
    path,
    operationId: 'getCorrection',
    summary: 'A correction of readings: what, why, by whom, and when',
    tags,
    params,
    hasEntityTag: true,
    answers: { 200: { description: 'The correction.', schema: shownCorrection } },
    problems: ['device-not-found', 'correction-not-found'],
    keepsToPlaces: true,
    handle: async ({ params: { id, correction }, ...caller }) => {
      const isOwn = await correctableBy(options, id, caller);
      const found = await options.corrections.get(id, correction);
      if (!isOwn(found)) throw correctionNotFound(correction);
      return { status: 200, headers: { ETag: tagOf(found) }, body: showCorrection(found) };
    },
  });

export const undoCorrection = (options: CorrectionRoutesOptions): Route =>
  route({
    method: 'delete',
    path,
    operationId: 'undoCorrection',
    summary: 'Undo a correction',
    description:
      'Readings are as they were before it. It stays in the list, with when it was undone and by whom; its id is not used again. Undone again, nothing changes.',
    tags,
    params,
    headers: z.object({ 'if-match': ifMatchRevision }),
    answers: { 204: { description: 'It is undone.' } },
    problems: [
      'device-not-found',
      'correction-not-found',
      'version-mismatch',
      'table-throttled',
      'not-supported-by-table',
    ],
    keepsToPlaces: true,
    handle: async ({ params: { id, correction }, headers, subject, ...caller }) => {
      const isOwn = await correctableBy(options, id, caller);
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

function elsewhere(): Problem {
  const message = 'must be within the time in which the device was at one of your places';
  return new Problem('invalid-request', `The range ${message}.`, {
    faults: [{ path: 'body', message }],
  });
}
