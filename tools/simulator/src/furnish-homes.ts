import { setTimeout as after } from 'node:timers/promises';
import { describeProblem } from './describe-problem.ts';
import { Refused, Registry } from './registry.ts';
import type { Device } from './homes.ts';

export interface FurnishOptions {
  /** Where the registry answers, such as `http://127.0.0.1:4002`. */
  registryUrl: string;
  devices: readonly Device[];
  /** Epoch milliseconds from which on the devices are where they are. */
  since: number;
  signal: AbortSignal;
  print: (line: string) => void;
  /** How long to wait before trying again, at first; grows to half a minute. */
  retryMilliseconds?: number;
}

const longestPauseMilliseconds = 30_000;

/** What the registry calls the kinds of devices. */
const kinds = { meter: 'meter', climate: 'climate', door: 'contact' } as const;

/**
 * Tells the registry of the homes: the places with their rooms and devices, and where these are. What somebody has changed
 * stays as it is. Tries until it is done, and calls `onFirstTry` after the first time; rejects when the signal aborts.
 */
export async function furnishHomes(options: FurnishOptions, onFirstTry: () => void): Promise<void> {
  const { registryUrl, signal, print, retryMilliseconds = 1000 } = options;
  let pause = retryMilliseconds;
  let lastProblem = '';
  for (;;) {
    const problem = await tryOnce(options);
    signal.throwIfAborted();
    onFirstTry();
    if (problem === undefined) return;
    if (problem !== lastProblem) print(`registry at ${registryUrl}: ${problem}`);
    lastProblem = problem;
    await after(pause, undefined, { signal });
    pause = Math.min(1.5 * pause, longestPauseMilliseconds);
  }
}

/** @returns why it has to be tried again; undefined when it is done */
async function tryOnce(options: FurnishOptions): Promise<string | undefined> {
  try {
    await furnish(options);
    return undefined;
  } catch (error) {
    return error instanceof Error ? describeProblem(error) : String(error);
  }
}

async function furnish({ registryUrl, devices, since, signal, print }: FurnishOptions) {
  const registry = new Registry(registryUrl, signal);
  const unlessRefused = async (action: Promise<void>) => {
    try {
      await action;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      print(`the registry would not take it: ${error.message}`);
    }
  };
  const named = devices.map(({ id, name, kind }) => ({ id, name, kind: kinds[kind] }));
  await unlessRefused(registry.create('/v1/places', placesOf(devices)));
  await unlessRefused(registry.create('/v1/devices', named));
  const from = new Date(since).toISOString();
  const place = (device: Device) => {
    const room = device.kind === 'climate' ? { room: device.room.id } : {};
    return registry.place(device.id, device.home.id, { ...room, since: from });
  };
  await Promise.all(devices.map((device) => unlessRefused(place(device))));
}

/** The homes, each with the rooms that its sensors are in. */
function placesOf(devices: readonly Device[]) {
  return [...new Set(devices.map(({ home }) => home))].map((home) => ({
    id: home.id,
    name: home.name,
    rooms: devices.flatMap((device) => {
      if (device.home !== home || device.kind !== 'climate') return [];
      return [{ id: device.room.id, name: device.room.name }];
    }),
  }));
}
