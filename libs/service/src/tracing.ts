import { setTimeout as sleep } from 'node:timers/promises';
import { diag, DiagLogLevel } from '@opentelemetry/api';
import { ExpressInstrumentation } from '@opentelemetry/instrumentation-express';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { register } from 'import-in-the-middle/register-hooks.mjs';
import type { Logger } from 'pino';
import { diagnosticLog } from './diagnostic-log.ts';
import { messageOf } from './message-of.ts';

/** How long closing waits for the last spans to be exported. */
const flushTimeoutMs = 2000;

/** Asked every few seconds by machines; their spans would bury the others. */
const probes = new Set(['/livez', '/readyz', '/metrics']);

/**
 * Starts tracing by OTLP, to where the standard `OTEL_*` variables say; metrics and logs stay with
 * Prometheus and standard output. Only this file loads OpenTelemetry's SDK, and it has to be imported
 * before whatever it instruments.
 *
 * @returns what closes it: exports the last spans, and gives up after `flushTimeoutMs`. It never rejects: no failure of a collector
 * changes how the process ends.
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
    const late = sleep(flushTimeoutMs, `no answer within ${flushTimeoutMs} ms`, { ref: false });
    const failure = await Promise.race([sdk.shutdown().catch(messageOf), late]);
    if (failure !== undefined) log.warn(`the last spans could not be sent: ${failure}`);
  };
}
