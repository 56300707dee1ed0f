import { readFileSync } from 'node:fs';
import { resources } from '@opentelemetry/sdk-node';

/** Of the repository, and of the image that is built of it: both have the libraries at the same place. */
const manifest = new URL('../../../package.json', import.meta.url);

/** In the order of precedence, the last wins: `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`. */
export const resourceDetectors = [
  resources.serviceInstanceIdDetector,
  resources.hostDetector,
  resources.processDetector,
  resources.envDetector,
];

/** What a span says of the process that made it, where the environment does not say otherwise (semantic conventions, "Service"). */
export function serviceResource(name: string): resources.Resource {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const service = resources.resourceFromAttributes({
    'service.name': name,
    'service.namespace': 'engawa',
    'service.version': version,
  });
  return resources.defaultResource().merge(service);
}
