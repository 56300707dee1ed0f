import { setTimeout as after } from 'node:timers/promises';
import { describeProblem } from './describe-problem.ts';
import { RegistryRejection, Registry } from './registry.ts';
import type { Device } from './homes.ts';

export interface SeedOptions {
  /** Base URL of the registry, such as `http://127.0.0.1:4002`. */
  registryUrl: string;
  devices: readonly Device[];
  /** Epoch milliseconds since which the devices are in their rooms. */
  since: number;
  signal: AbortSignal;
  print: (line: string) => void;
  /** The first delay between attempts; it grows to half a minute. */
  retryDelayMs?: number;
}

const maxRetryDelayMs = 30_000;

/** The registry's names of the kinds of devices. */
const kinds = { meter: 'meter', climate: 'climate', door: 'contact' } as const;

/**
 * Registers the homes: places with their rooms, devices, and the placements of the devices. Keeps
 * what users have changed. Retries until it succeeds, and calls `onFirstTry` after the first
 * attempt; rejects when the signal aborts.
 */
export async function seedHomes(options: SeedOptions, onFirstTry: () => void): Promise<void> {
  const { registryUrl, signal, print, retryDelayMs = 1000 } = options;
  let delayMs = retryDelayMs;
  let lastProblem = '';
  for (;;) {
    const problem = await tryOnce(options);
    signal.throwIfAborted();
    onFirstTry();
    if (problem === undefined) return;
    if (problem !== lastProblem) print(`registry at ${registryUrl}: ${problem}`);
    lastProblem = problem;
    await after(delayMs, undefined, { signal });
    delayMs = Math.min(1.5 * delayMs, maxRetryDelayMs);
  }
}

/** @returns the reason of a failed attempt; undefined after success */
async function tryOnce(options: SeedOptions): Promise<string | undefined> {
  try {
    await seed(options);
    return undefined;
  } catch (error) {
    return error instanceof Error ? describeProblem(error) : String(error);
  }
}

async function seed({ registryUrl, devices, since, signal, print }: SeedOptions) {
  const registry = new Registry(registryUrl, signal);
  const unlessRefused = async (action: Promise<void>) => {
    try {
      await action;
    } catch (error) {
      if (!(error instanceof RegistryRejection)) throw error;
      print(`the registry refused the request: ${error.message}`);
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

/** The homes, each with the rooms of its sensors. */
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
