import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '@engawa/errors';
import closeWithGrace from 'close-with-grace';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { Closing } from './closing.ts';
import { messageOf } from './logging/message-of.ts';
import { releaseStartMemory } from './release-start-memory.ts';
import { createLog } from './logging/log.ts';
import type { ServiceModule } from './service-context.ts';
import { earlySettings } from './settings/settings.ts';
import type { ServiceSettings } from './settings/settings.ts';
import { openService } from './start-service.ts';

/** Timeout of closing for an interrupted start. */
const interruptedStartGraceMs = 1000;

/**
 * A start that never settles is left to Node, which exits with code 13 and a warning; closing would exit with 0 and
 * without a message.
 */
const skip: closeWithGrace.AllEvents[] = ['beforeExit'];

/**
 * Runs a service as this process. SIGTERM and SIGINT close it in reverse order and exit with 0; an
 * error exits with 1 after one fatal log line. `load` imports the module of the service. It is
 * called after tracing has been started, which must happen before `express` and `http` are
 * imported.
 */
export function runService<Settings extends ServiceSettings>(
  name: string,
  load: () => Promise<ServiceModule<Settings>>,
): Promise<void> {
  return run(name, load, false);
}

/**
 * Runs a task with an end as this process, such as the job of a CronJob: it exits with 0 when the
 * module's `start` resolves, and with 1 where a signal interrupts it.
 */
export function runTask<Settings extends ServiceSettings>(
  name: string,
  load: () => Promise<ServiceModule<Settings>>,
): Promise<void> {
  return run(name, load, true);
}

async function run<Settings extends ServiceSettings>(
  name: string,
  load: () => Promise<ServiceModule<Settings>>,
  endsByItself: boolean,
): Promise<void> {
  const settings = earlySettings(process.env);
  const delay = settings.SHUTDOWN_DRAIN_MS + settings.SHUTDOWN_TIMEOUT_MS;
  const log = createLog({ name, level: settings.LOG_LEVEL });
  const closing = new Closing(log);

  const open = async (): Promise<void> => {
    if (isTraced(settings)) {
      const { startTracing } = await import('./telemetry/tracing.ts');
      closing.add('tracing', startTracing({ name, log }));
    }
    await openService({ name, module: await load(), environment: process.env, log, closing });
  };
  const opening = open();
  let failed = false;
  let done = false;
  const grace = closeWithGrace({ ...lastLines(log), delay, logger: false, skip }, async (event) => {
    // A promise can be rejected with undefined; the key alone marks the error.
    const crashed = 'err' in event;
    if (crashed || failed) closing.skipDraining();
    if (crashed) logCrash(log, event.err);
    else if (!failed) log.info({ signal: event.signal }, 'closing');
    await closing.close(endOfStart(opening));
    if (failed || crashed) process.exit(1);
    // Kubernetes treats exit code 0 as success, and would not run the Job again.
    if (endsByItself && !done) {
      log.warn('the shutdown interrupted the command');
      process.exit(1);
    }
    log.info('closed');
  });

  try {
    await opening;
    done = true;
    if (endsByItself) grace.close();
    else releaseStartMemory();
  } catch (error) {
    // An interrupted start may fail with any error.
    if (closing.signal.aborted) return;
    failed = true;
    logFailedStart(log, error);
    grace.close();
  }
}

/** Resolves when a start has settled, or after a timeout where it was interrupted. */
function endOfStart(opening: Promise<void>): Promise<void> {
  const settled = opening.catch(() => undefined);
  return Promise.race([settled, sleep(interruptedStartGraceMs, undefined, { ref: false })]);
}

function isTraced(settings: z.output<ServiceSettings>): boolean {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT } = settings;
  return (OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? OTEL_EXPORTER_OTLP_ENDPOINT) !== undefined;
}

/** The log line where closing exceeds its timeout; close-with-grace then exits with 1. */
function lastLines(log: Logger): closeWithGrace.Options {
  return {
    onSecondSignal: (signal) =>
      log.fatal({ signal }, 'second signal received: exiting immediately'),
    onSecondError: (error) => log.fatal({ err: error }, 'further error while shutting down'),
    onTimeout: (delay) => log.fatal(`shutdown timed out after ${delay} ms: exiting`),
  };
}

function logFailedStart(log: Logger, error: unknown): void {
  if (error instanceof OperatorError) log.fatal(error.message);
  else log.fatal(log.isLevelEnabled('debug') ? { err: error } : {}, messageOf(error));
}

function logCrash(log: Logger, error: unknown): void {
  if (error instanceof OperatorError) log.fatal(error.message);
  else log.fatal({ err: error }, `unexpected: ${messageOf(error)}`);
}
