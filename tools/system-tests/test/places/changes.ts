import { currentOwner, wasOnlyAt } from './histories.ts';
import type { History, World } from './histories.ts';

const hour = 3_600_000;

/** A request that changes something, sent by a caller who is restricted to the homes with `own-`. */
export interface Change {
  operationId: string;
  method: string;
  path: (world: World) => string;
  body?: (world: World) => unknown;
  /** Of the device before the request. */
  status?: 'pending';
  /** The status of the response, by the history of the device. */
  expected: (history: History) => number;
}

const isHere = (history: History) => currentOwner(history) === 'own';
const isAlwaysHere = (history: History) => isHere(history) && wasOnlyAt(history, 'own');

/** For a device that is at a home of the caller. */
const whereHere = (status: number) => (history: History) => (isHere(history) ? status : 404);
/** For a device that is at a home of the caller, and was at no other. */
const whereOnlyHere = (status: number) => (history: History) =>
  isAlwaysHere(history) ? status : whereHere(403)(history);
const always = (status: number) => () => status;

const deviceOf = ({ device }: World) => `/v1/devices/${device}`;
const correctionOf = (world: World) => `${deviceOf(world)}/corrections/mine`;
const placementAt = (owner: 'own' | 'their') => (world: World) =>
  `/v1/places/${world.home(owner)}/devices/${world.device}`;
const placeOf = (owner: 'own' | 'their') => (world: World) => `/v1/places/${world.home(owner)}`;
const roomOf = (owner: 'own' | 'their') => (world: World) => `/v1/rooms/${world.home(owner)}/hall`;
const named = () => ({ name: 'changed' });

/** The beginning of the current stay. */
const arrival = ({ stays }: World) => stays.at(-1)?.since ?? 0;
const everBefore = ({ stays }: World) => stays[0]?.since ?? 0;
const tomorrow = () => Date.now() + 23 * hour;
const why = { why: 'changed' };

const put = { method: 'PUT' };
const patch = { method: 'PATCH' };
const remove = { method: 'DELETE' };

const ofDevices: Change[] = [
  {
    ...{ operationId: 'putDevice', ...put, path: deviceOf, body: named },
    expected: whereHere(200),
  },
  {
    ...{ operationId: 'putDevice', ...put, path: deviceOf },
    body: () => ({ status: 'pending' }),
    expected: whereHere(403),
  },
  {
    ...{ operationId: 'putDevice', ...put, path: deviceOf, status: 'pending', body: named },
    expected: whereOnlyHere(200),
  },
  {
    ...{ operationId: 'renameDevice', ...patch, path: deviceOf, body: named },
    expected: whereHere(200),
  },
  {
    ...{ operationId: 'renameDevice', ...patch, path: deviceOf },
    body: () => ({ labels: { changed: 'yes' } }),
    expected: whereHere(200),
  },
  {
    ...{ operationId: 'renameDevice', ...patch, path: deviceOf },
    body: () => ({ status: 'pending' }),
    expected: whereHere(403),
  },
  {
    ...{ operationId: 'renameDevice', ...patch, path: deviceOf, status: 'pending' },
    body: () => ({ status: 'active' }),
    expected: whereOnlyHere(200),
  },
  {
    ...{ operationId: 'deleteDevice', ...remove, path: deviceOf },
    expected: whereOnlyHere(204),
  },
  {
    ...{ operationId: 'placeDevice', ...put, path: placementAt('own') },
    body: () => ({}),
    expected: whereHere(200),
  },
  {
    ...{ operationId: 'placeDevice', ...put, path: placementAt('their') },
    body: () => ({}),
    expected: always(404),
  },
  {
    ...{ operationId: 'takeDeviceAway', ...remove, path: placementAt('own') },
    expected: whereHere(403),
  },
  {
    ...{ operationId: 'takeDeviceAway', ...remove, path: placementAt('their') },
    expected: always(404),
  },
];

const corrections: Change[] = [
  {
    ...{ operationId: 'putCorrection', ...put, path: correctionOf },
    body: (world) => ({ operation: 'delete', from: everBefore(world), to: tomorrow(), ...why }),
    expected: whereHere(201),
  },
  {
    ...{ operationId: 'putCorrection', ...put, path: correctionOf },
    body: (world) => ({
      ...{ operation: 'delete', from: everBefore(world) - 1, to: everBefore(world), ...why },
    }),
    expected: whereHere(400),
  },
  ...[{ operation: 'delete' }, { operation: 'ignore', fields: ['count'] }].map((what): Change => ({
    ...{ operationId: 'putCorrection', ...put, path: correctionOf },
    body: (world) => ({ ...what, from: arrival(world), to: tomorrow(), ...why }),
    expected: whereHere(201),
  })),
  {
    ...{ operationId: 'putCorrection', ...put, path: correctionOf },
    body: (world) => ({
      ...{ operation: 'replace', from: arrival(world), to: tomorrow(), ...why },
      readings: [{ time: Date.now() + 2 * hour, fields: { takenAt: 'invented' } }],
    }),
    expected: whereHere(201),
  },
  {
    ...{ operationId: 'putCorrection', ...put, path: correctionOf },
    body: () => ({ operation: 'reset', at: tomorrow(), ...why }),
    expected: whereHere(201),
  },
  {
    ...{ operationId: 'undoCorrection', ...remove },
    path: (world) => `${deviceOf(world)}/corrections/of-operator`,
    expected: (history) => (history === 'stayed' ? 204 : 404),
  },
];

const locations: Change[] = [
  {
    ...{ operationId: 'putPlace', ...put, path: placeOf('own'), body: named },
    expected: always(200),
  },
  {
    ...{ operationId: 'putPlace', ...put, path: placeOf('their'), body: named },
    expected: always(404),
  },
  {
    ...{ operationId: 'renamePlace', ...patch, path: placeOf('own'), body: named },
    expected: always(200),
  },
  {
    ...{ operationId: 'renamePlace', ...patch, path: placeOf('their'), body: named },
    expected: always(404),
  },
  {
    ...{ operationId: 'deletePlace', ...remove, path: placeOf('own') },
    expected: (history) => (isHere(history) ? 403 : 204),
  },
  { ...{ operationId: 'deletePlace', ...remove, path: placeOf('their') }, expected: always(404) },
  {
    ...{ operationId: 'putRoom', ...put, path: roomOf('own'), body: named },
    expected: always(200),
  },
  {
    ...{ operationId: 'putRoom', ...put, path: roomOf('their'), body: named },
    expected: always(404),
  },
  {
    ...{ operationId: 'renameRoom', ...patch, path: roomOf('own'), body: named },
    expected: always(200),
  },
  {
    ...{ operationId: 'renameRoom', ...patch, path: roomOf('their'), body: named },
    expected: always(404),
  },
  { ...{ operationId: 'deleteRoom', ...remove, path: roomOf('own') }, expected: always(204) },
  { ...{ operationId: 'deleteRoom', ...remove, path: roomOf('their') }, expected: always(404) },
  {
    ...{ operationId: 'createPlaces', method: 'POST', path: () => '/v1/places' },
    body: (world) => [{ id: world.home('their'), name: 'changed' }],
    expected: always(200),
  },
];

/**
 * The changes that a restricted caller may request at all. Every other route with a method other than GET answers 403
 * to such a caller.
 */
export const changes: readonly Change[] = [...ofDevices, ...corrections, ...locations];
