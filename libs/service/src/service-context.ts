import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { z } from 'zod';
import type { Readiness } from './telemetry/readiness.ts';
import type { ServiceSettings } from './settings/settings.ts';

/** What a service gets to build itself from. */
export interface ServiceContext<Config> {
  name: string;
  config: Config;
  log: Logger;
  /** Holds the metrics of the process already. */
  registry: Registry;
  readiness: Readiness;
  /** Monotonic milliseconds, of which only differences mean anything; for what is believed for a time. */
  now: () => number;
  /** Aborts when closing begins; hand it to everything that waits while starting. */
  signal: AbortSignal;
  /** Registers work that goes on when closing begins, before the signal aborts and anything is closed: running requests. */
  onDrain: (drain: () => Promise<void>) => void;
  /** Registers, beside the creation of a part, what closes it; run in reverse order. */
  onClose: (name: string, close: () => void | Promise<void>) => void;
}

/** What the `start.ts` of a service exports. */
export interface ServiceModule<Settings extends ServiceSettings> {
  settings: Settings;
  start(context: ServiceContext<z.output<Settings>>): void | Promise<void>;
}
