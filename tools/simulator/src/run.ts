import { backfill } from './backfill.ts';
import { devices as allDevices } from './homes.ts';
import { playLive } from './live.ts';
import { furnishHomes } from './furnish-homes.ts';
import { generateLoad } from './load.ts';
import type { FurnishOptions } from './furnish-homes.ts';
import type { Options } from './options.ts';
import { oneDay, oneHour } from './physics/clock.ts';
import { Publisher } from './publisher.ts';
import { Simulation } from './simulation.ts';

interface Surroundings {
  signal: AbortSignal;
  print: (line: string) => void;
}

/** How long the registry may take to hear of all homes when nothing follows the backfill. */
const furnishingGraceMilliseconds = 30_000;

async function playHomes(
  options: Options,
  publisher: Publisher,
  { signal, print }: Surroundings,
): Promise<void> {
  await publisher.connected(signal);
  const simulation = new Simulation({ seed: options.seed });
  const devices = allDevices.filter(({ home }) => options.homes.includes(home));
  const now = Date.now();
  // From a whole hour on, so that playing the same days again makes the same messages.
  const from = Math.floor((now - options.days * oneDay) / oneHour) * oneHour;
  const giveUp = new AbortController();
  const furnished = startFurnishing({
    registryUrl: options.registryUrl,
    devices,
    since: from,
    signal: AbortSignal.any([signal, giveUp.signal]),
    print,
  });
  // First, if it can be, so that the doors of a place show what happened to them.
  await furnished.triedOnce;

  if (options.days > 0) {
    await backfill({ publisher, simulation, devices, from, to: now, signal, print });
  }
  if (!options.live) {
    const timer = setTimeout(() => giveUp.abort(), furnishingGraceMilliseconds);
    await furnished.done.catch(() => signal.aborted || print('not every home could be furnished'));
    clearTimeout(timer);
    return;
  }
  print(`live: ${devices.length} devices, from now on as time goes by`);
  await playLive({ publisher, simulation, devices, from: now, signal });
}

function startFurnishing({
  registryUrl,
  ...options
}: Omit<FurnishOptions, 'registryUrl'> & { registryUrl: string | undefined }) {
  if (registryUrl === undefined) return { triedOnce: Promise.resolve(), done: Promise.resolve() };
  const tried: PromiseWithResolvers<void> = Promise.withResolvers();
  const done = furnishHomes({ registryUrl, ...options }, () => tried.resolve());
  done.catch(() => tried.resolve());
  return { triedOnce: tried.promise, done };
}

/** Does what the options ask for until it is done or the signal aborts; then disconnects. */
export async function run(options: Options, surroundings: Surroundings): Promise<void> {
  const { signal, print } = surroundings;
  const { url, version, rate } = options;
  const publisher = new Publisher({ url, version, print });
  try {
    if (rate === undefined) await playHomes(options, publisher, surroundings);
    else await generateLoad({ publisher, rate, devices: options.devices, signal, print });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await publisher.close();
  }
}
