import { setTimeout as sleep } from 'node:timers/promises';
import { diag, DiagLogLevel } from '@opentelemetry/api';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { register } from 'import-in-the-middle/register-hooks.mjs';
import type { Logger } from 'pino';
import { diagnosticLog } from '../logging/diagnostic-log.ts';
import { messageOf } from '../logging/message-of.ts';
import { resourceDetectors, serviceResource } from './service-resource.ts';

/** Timeout of exporting the last spans when closing. */
const flushTimeoutMs = 2000;

/** Requested by machines every few seconds; their spans would hide the others. */
const probes = new Set(['/livez', '/readyz', '/metrics']);

/**
 * Starts tracing by OTLP, to where the standard `OTEL_*` variables say; metrics and logs stay with
 * Prometheus and standard output. Only this file loads OpenTelemetry's SDK, and it has to be imported
 * before whatever it instruments.
 *
 * @returns what closes it: exports the last spans, and gives up after `flushTimeoutMs`. Neither the
 * start nor the close throws: no failure of telemetry changes how the process ends.
 */
export function startTracing({ name, log }: { name: string; log: Logger }): () => Promise<void> {
  try {
    const sdk = startSdk(name, log);
    return () => flush(sdk, log);
  } catch (error) {
    log.warn(`there is no tracing: ${messageOf(error)}`);
    return () => Promise.resolve();
  }
}

function startSdk(name: string, log: Logger): NodeSDK {
  // Patches what ES modules import; OpenTelemetry itself only sees `require`.
  register({ include: ['http', 'https'] });
  const sdk = new NodeSDK({
    resource: serviceResource(name),
    resourceDetectors,
    metricReaders: [],
    logRecordProcessors: [],
    instrumentations: [
      new HttpInstrumentation({
        ignoreIncomingRequestHook: ({ url }) => probes.has(url ?? ''),
      }),
    ],
  });
  diag.setLogger(diagnosticLog(log), {
    logLevel: DiagLogLevel.WARN,
    suppressOverrideMessage: true,
  });
  sdk.start();
  return sdk;
}

async function flush(sdk: NodeSDK, log: Logger): Promise<void> {
  const late = sleep(flushTimeoutMs, `no answer within ${flushTimeoutMs} ms`, { ref: false });
  const failure = await Promise.race([sdk.shutdown().catch(messageOf), late]);
  if (failure !== undefined) log.warn(`the last spans could not be sent: ${failure}`);
}
