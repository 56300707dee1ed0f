import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { z } from 'zod';
import type { Readiness } from './telemetry/readiness.ts';
import type { ServiceSettings } from './settings/settings.ts';

/** The argument of a service's `start`: its configuration and the facilities of the process. */
export interface ServiceContext<Config> {
  name: string;
  config: Config;
  log: Logger;
  /** Contains the metrics of the process already. */
  registry: Registry;
  readiness: Readiness;
  /** Monotonic milliseconds, for durations and cache lifetimes. */
  now: () => number;
  /** Aborts when closing begins; pass it to everything that waits during the start. */
  signal: AbortSignal;
  /** Registers a drain function, for requests in progress: called when closing begins, before the signal aborts. */
  onDrain: (drain: () => Promise<void>) => void;
  /** Registers the close function of a part, next to its creation; they run in reverse order. */
  onClose: (name: string, close: () => void | Promise<void>) => void;
}

/** The exports of the `start.ts` of a service. */
export interface ServiceModule<Settings extends ServiceSettings> {
  settings: Settings;
  start(context: ServiceContext<z.output<Settings>>): void | Promise<void>;
}
