import { setTimeout as sleep } from 'node:timers/promises';
import { diag, DiagLogLevel } from '@opentelemetry/api';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { NodeSDK, resources } from '@opentelemetry/sdk-node';
import { register } from 'import-in-the-middle/register-hooks.mjs';
import { diagnosticLog } from '../logging/diagnostic-log.ts';
import { messageOf } from '../logging/message-of.ts';
import { secretParameters } from './secret-parameters.ts';
import { version } from './version.ts';
import type { Logger } from 'pino';

/** Timeout of exporting the last spans when closing. */
const flushTimeoutMs = 2000;

/** Requested by machines every few seconds; their spans would hide the others. */
const probes = new Set(['/livez', '/readyz', '/metrics']);

/**
 * Starts tracing by OTLP, configured by the standard `OTEL_*` variables; metrics and logs stay with Prometheus and
 * standard output. Only this file loads OpenTelemetry's SDK, and it must be imported before the modules that it
 * instruments.
 * @returns a function that stops tracing
 */
export function startTracing({ name, log }: { name: string; log: Logger }): () => Promise<void> {
  try {
    const sdk = startSdk(name, log);
    return () => flush(sdk, log);
  } catch (error) {
    log.warn(`tracing is off: ${messageOf(error)}`);
    return () => Promise.resolve();
  }
}

function startSdk(name: string, log: Logger): NodeSDK {
  // Patches ES modules on import; OpenTelemetry itself only patches `require`.
  register({ include: ['http', 'https'] });
  const sdk = new NodeSDK({
    resource: serviceResource(name),
    resourceDetectors,
    metricReaders: [],
    logRecordProcessors: [],
    instrumentations: [
      new HttpInstrumentation({
        redactedQueryParams: secretParameters,
        redactedQueryParamsServer: secretParameters,
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

/** In order of precedence, of which the last wins: `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`. */
const resourceDetectors = [
  resources.serviceInstanceIdDetector,
  resources.hostDetector,
  resources.processDetector,
  resources.envDetector,
];

/** Default resource attributes of spans, which the environment may override (semantic conventions, "Service"). */
function serviceResource(name: string): resources.Resource {
  const service = resources.resourceFromAttributes({
    'service.name': name,
    'service.namespace': 'engawa',
    'service.version': version,
  });
  return resources.defaultResource().merge(service);
}
