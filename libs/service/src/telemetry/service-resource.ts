import { resources } from '@opentelemetry/sdk-node';
import { version } from './version.ts';

/** In order of precedence, of which the last wins: `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`. */
export const resourceDetectors = [
  resources.serviceInstanceIdDetector,
  resources.hostDetector,
  resources.processDetector,
  resources.envDetector,
];

/** Default resource attributes of spans, which the environment may override (semantic conventions, "Service"). */
export function serviceResource(name: string): resources.Resource {
  const service = resources.resourceFromAttributes({
    'service.name': name,
    'service.namespace': 'engawa',
    'service.version': version,
  });
  return resources.defaultResource().merge(service);
}
