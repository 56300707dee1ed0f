import type { DestinationStream, Logger } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { z } from 'zod';
import { Closing } from './closing.ts';
import { loadSettings } from './settings/load-settings.ts';
import { createLog } from './logging/log.ts';
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
  /** Where log lines go; standard output where it is not given. */
  logDestination?: DestinationStream;
  /** Monotonic milliseconds; those of the machine where it is not given. */
  now?: () => number;
}

export interface RunningService<Config> {
  context: ServiceContext<Config>;
  /** Closes every part in reverse order; rejects with an AggregateError when a part could not. */
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
 * Starts a service inside this process, as tests do: no signals, no exit, no tracing. A start that
 * fails has closed what it had opened.
 *
 * @throws OperatorError for wrong settings, and whatever the module's `start` throws.
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
    // What could not be closed is in the log; the reason to close is what the caller needs.
    await closing.close().catch(() => undefined);
    throw error;
  }
}

/** Checks the settings and starts the module; closing, also after a failure, is the caller's. */
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
  // Before, it was not ready, so nothing was sent to it.
  closing.drainFirst(async () => {
    await Promise.all(drains.map((drain) => drain()));
  });
  state = undefined;
  // What the start has waited for counts as met, also where no probe has come by yet.
  readiness.missing();
  if (!closing.hasBegun) log.info('started');
  return context;
}

/** prom-client's, without three gauges that are named as counters are and only repeat the sums of others. */
function collectProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  for (const what of ['handles', 'requests', 'resources']) {
    registry.removeSingleMetric(`nodejs_active_${what}_total`);
  }
}
