import { setTimeout as sleep } from 'node:timers/promises';
import { diag, DiagLogLevel } from '@opentelemetry/api';
import type { DiagLogger } from '@opentelemetry/api';
import { ExpressInstrumentation } from '@opentelemetry/instrumentation-express';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { register } from 'import-in-the-middle/register-hooks.mjs';
import type { Logger } from 'pino';
import { z } from 'zod';

/** How long closing waits for the last spans to be taken, in milliseconds. */
const flushTimeout = 2000;

/** Asked every few seconds by machines; their spans would bury the others. */
const probes = new Set(['/livez', '/readyz', '/metrics']);

/**
 * Starts tracing by OTLP, to where the standard `OTEL_*` variables say; metrics and logs stay with
 * Prometheus and standard output. Only this file loads OpenTelemetry's SDK, and it has to be imported
 * before whatever it instruments.
 *
 * @returns what closes it: sends the last spans, and gives up after `flushTimeout`.
 */
export function startTracing({ name, log }: { name: string; log: Logger }): () => Promise<void> {
  // Patches what ES modules import; OpenTelemetry itself only sees `require`.
  register({ include: ['express', 'http', 'https'] });
  const sdk = new NodeSDK({
    serviceName: name,
    metricReaders: [],
    logRecordProcessors: [],
    instrumentations: [
      new HttpInstrumentation({
        ignoreIncomingRequestHook: ({ url }) => probes.has(url ?? ''),
      }),
      new ExpressInstrumentation(),
    ],
  });
  diag.setLogger(diagnosticLog(log), {
    logLevel: DiagLogLevel.WARN,
    suppressOverrideMessage: true,
  });
  sdk.start();
  return async () => {
    const late = sleep(flushTimeout, 'late', { ref: false });
    if ((await Promise.race([sdk.shutdown(), late])) === 'late') {
      log.warn(`the last spans could not be sent within ${flushTimeout} ms`);
    }
  };
}

/** What OpenTelemetry itself complains of: a collector that cannot be reached, a variable misspelt. */
function diagnosticLog(log: Logger): DiagLogger {
  const warn = (message: string, ...details: unknown[]) =>
    log.warn(details.length === 0 ? {} : { details }, `tracing: ${readable(message)}`);
  const debug = (message: string) => log.debug(`tracing: ${message}`);
  return { error: warn, warn, info: debug, debug, verbose: debug };
}

/** The SDK hands an error over as the JSON text of all its properties, stack included. */
function readable(message: string): string {
  try {
    return z.object({ message: z.string() }).parse(JSON.parse(message)).message;
  } catch {
    return message;
  }
}
