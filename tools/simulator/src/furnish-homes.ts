import { setTimeout as after } from 'node:timers/promises';
import { describeProblem } from './describe-problem.ts';
import { Refused, Registry } from './registry.ts';
import type { Device, Home } from './homes.ts';

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
  const { signal, retryMilliseconds = 1000 } = options;
  let pause = retryMilliseconds;
  let waiting = new Set(options.devices.map(({ home }) => home));
  let lastProblem = '';
  for (;;) {
    const tries = [...waiting].map(async (home) => [home, await tryHome(home, options)] as const);
    const outcomes = await Promise.all(tries);
    signal.throwIfAborted();
    onFirstTry();
    const problems = outcomes.flatMap(([, problem]) => problem ?? []);
    waiting = new Set(outcomes.filter(([, problem]) => problem).map(([home]) => home));
    if (waiting.size === 0) return;
    const [problem = ''] = problems;
    if (problem !== lastProblem) options.print(`registry at ${options.registryUrl}: ${problem}`);
    lastProblem = problem;
    await after(pause, undefined, { signal });
    pause = Math.min(1.5 * pause, longestPauseMilliseconds);
  }
}

/** @returns why it has to be tried again; undefined when it is done */
async function tryHome(home: Home, options: FurnishOptions): Promise<string | undefined> {
  try {
    await furnishHome(home, options);
    return undefined;
  } catch (error) {
    return error instanceof Error ? describeProblem(error) : String(error);
  }
}

async function furnishHome(home: Home, options: FurnishOptions): Promise<void> {
  const { registryUrl, signal, print } = options;
  const registry = new Registry(registryUrl, signal);
  const devices = options.devices.filter((device) => device.home === home);
  const unlessRefused = async (action: Promise<void>) => {
    try {
      await action;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      print(`the registry would not take it: ${error.message}`);
    }
  };
  await unlessRefused(registry.create(`/v1/places/${home.id}`, { name: home.name }));
  const rooms = devices.flatMap((device) => (device.kind === 'climate' ? [device.room] : []));
  await Promise.all(
    rooms.map(({ id, name }) =>
      unlessRefused(registry.create(`/v1/rooms/${home.id}/${id}`, { name })),
    ),
  );
  await Promise.all(
    devices.map((device) => unlessRefused(furnishDevice(device, registry, options.since))),
  );
}

async function furnishDevice(device: Device, registry: Registry, since: number): Promise<void> {
  const { id, name, kind, home } = device;
  const path = `/v1/devices/${id}`;
  const known = await registry.device(id);
  if (known === undefined) await registry.create(path, { name, kind: kinds[kind] });
  // It was heard of before anybody told the registry what it is.
  else if (known.name === id) await registry.change('PATCH', path, { name });
  if (known?.place !== undefined) return;
  const room = kind === 'climate' ? device.room.id : undefined;
  const where = { since: new Date(since).toISOString(), ...(room !== undefined && { room }) };
  await registry.change('PUT', `/v1/places/${home.id}/devices/${id}`, where);
}
