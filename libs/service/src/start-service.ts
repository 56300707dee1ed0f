import type { DestinationStream, Logger } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { z } from 'zod';
import { Closing } from './closing.ts';
import { loadSettings } from './settings/load-settings.ts';
import { createLog } from './logging/log.ts';
import { registerInvariantMetrics } from './telemetry/invariant-metrics.ts';
import { registerMemoryMetrics } from './telemetry/memory-metrics.ts';
import { registerReadinessMetrics } from './telemetry/readiness-metrics.ts';
import { Readiness } from './telemetry/readiness.ts';
import type { ServiceContext, ServiceModule } from './service-context.ts';
import { earlySettings } from './settings/settings.ts';
import type { ServiceSettings } from './settings/settings.ts';

export interface StartServiceOptions<Settings extends ServiceSettings> {
  name: string;
  module: ServiceModule<Settings>;
  environment: NodeJS.ProcessEnv;
  /** Destination of log lines; by default standard output. */
  logDestination?: DestinationStream;
  /** Monotonic milliseconds; by default `performance.now`. */
  now?: () => number;
}

export interface RunningService<Config> {
  context: ServiceContext<Config>;
  /** Closes all parts in reverse order; rejects with an AggregateError where a part fails to close. */
  close: () => Promise<void>;
}

export interface OpenServiceOptions<Settings extends ServiceSettings> {
  name: string;
  module: ServiceModule<Settings>;
  environment: NodeJS.ProcessEnv;
  log: Logger;
  closing: Closing;
  now?: (() => number) | undefined;
}

/**
 * Starts a service inside this process, for tests: without signal handlers, exit codes and tracing. A failed start
 * closes all parts that it has opened.
 *
 * @throws OperatorError for invalid settings, and the errors of the module's `start`.
 */
export async function startService<Settings extends ServiceSettings>({
  name,
  module,
  environment,
  logDestination: destination,
  now,
}: StartServiceOptions<Settings>): Promise<RunningService<z.output<Settings>>> {
  const log = createLog({ name, level: earlySettings(environment).LOG_LEVEL, destination });
  const closing = new Closing(log);
  try {
    const context = await openService({ name, module, environment, log, closing, now });
    return { context, close: () => closing.close() };
  } catch (error) {
    // Errors of closing are logged; the caller gets the error of the start.
    await closing.close().catch(() => undefined);
    throw error;
  }
}

/** Checks the settings and starts the module. The caller closes it, also after a failure. */
export async function openService<Settings extends ServiceSettings>({
  name,
  module,
  environment,
  log,
  closing,
  now = () => performance.now(),
}: OpenServiceOptions<Settings>): Promise<ServiceContext<z.output<Settings>>> {
  const config = loadSettings(module.settings, environment);
  const registry = new Registry();
  collectProcessMetrics(registry);

  let state: string | undefined = 'it is starting';
  const readiness = new Readiness(now);
  const stateNow = () => (closing.hasBegun ? 'it is closing' : state);
  readiness.require('process', stateNow, 'always');
  registerReadinessMetrics(readiness, registry);
  registerMemoryMetrics(registry);
  registerInvariantMetrics(registry);

  const drains: (() => Promise<void>)[] = [];
  const context: ServiceContext<z.output<Settings>> = {
    name,
    config,
    log,
    registry,
    readiness,
    now,
    signal: closing.signal,
    onDrain: (drain) => drains.push(drain),
    onClose: (step, close) => closing.add(step, close),
  };
  await module.start(context);
  // Draining is only needed from now on: an unready service receives no requests.
  closing.drainFirst(async () => {
    await Promise.all(drains.map((drain) => drain()));
  });
  state = undefined;
  // Evaluated once, so that requirements that the start has waited for count as met without a probe.
  readiness.unavailableReasons();
  if (!closing.hasBegun) log.info('started');
  return context;
}

/** prom-client's default metrics, without three gauges that are named like counters and repeat sums of others. */
function collectProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  for (const what of ['handles', 'requests', 'resources']) {
    registry.removeSingleMetric(`nodejs_active_${what}_total`);
  }
}
