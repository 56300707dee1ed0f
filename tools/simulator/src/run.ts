import { backfill } from './backfill.ts';
import { devices as allDevices } from './homes.ts';
import { playLive } from './live.ts';
import { seedHomes } from './seed-homes.ts';
import { generateLoad } from './load.ts';
import type { SeedOptions } from './seed-homes.ts';
import type { Options } from './options.ts';
import { oneDay, oneHour } from './physics/clock.ts';
import { Publisher } from './publisher.ts';
import { Simulation } from './simulation.ts';

interface RunContext {
  signal: AbortSignal;
  print: (line: string) => void;
}

/** For registering all homes after a backfill without live readings. */
const seedingTimeoutMs = 30_000;

async function playHomes(
  options: Options,
  publisher: Publisher,
  { signal, print }: RunContext,
): Promise<void> {
  await publisher.connected(signal);
  const simulation = new Simulation({ seed: options.seed });
  const devices = allDevices.filter(({ home }) => options.homes.includes(home));
  const now = Date.now();
  // From a whole hour, so that the same days produce the same messages.
  const from = Math.floor((now - options.days * oneDay) / oneHour) * oneHour;
  const seedingTimeout = new AbortController();
  const seeding = startSeeding({
    registryUrl: options.registryUrl,
    devices,
    since: from,
    signal: AbortSignal.any([signal, seedingTimeout.signal]),
    print,
  });
  // Before the readings if possible, so that a place shows the last events of its doors.
  await seeding.triedOnce;

  if (options.days > 0) {
    await backfill({ publisher, simulation, devices, from, to: now, signal, print });
  }
  if (!options.live) {
    const timer = setTimeout(() => seedingTimeout.abort(), seedingTimeoutMs);
    await seeding.done.catch(() => signal.aborted || print('not all homes could be registered'));
    clearTimeout(timer);
    return;
  }
  print(`live: ${devices.length} devices publish in real time`);
  await playLive({ publisher, simulation, devices, from: now, signal });
}

function startSeeding({
  registryUrl,
  ...options
}: Omit<SeedOptions, 'registryUrl'> & { registryUrl: string | undefined }) {
  if (registryUrl === undefined) return { triedOnce: Promise.resolve(), done: Promise.resolve() };
  const tried: PromiseWithResolvers<void> = Promise.withResolvers();
  const done = seedHomes({ registryUrl, ...options }, () => tried.resolve());
  done.catch(() => tried.resolve());
  return { triedOnce: tried.promise, done };
}

/** Plays homes or generates load until it is complete or the signal aborts; then disconnects. */
export async function run(options: Options, context: RunContext): Promise<void> {
  const { signal, print } = context;
  const { url, version, rate } = options;
  const publisher = new Publisher({ url, version, print });
  try {
    if (rate === undefined) await playHomes(options, publisher, context);
    else await generateLoad({ publisher, rate, devices: options.devices, signal, print });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await publisher.close();
  }
}
