import { version } from '@engawa/service';
import { createHttpApp } from './create-http-app.ts';
import { httpGuards } from './guards/http-guards.ts';
import { HttpMetrics } from './route/http-metrics.ts';
import { listen } from './server/listen.ts';
import type { ServiceContext } from '@engawa/service';
import type { Route } from './route/route.ts';
import type { HttpConfig } from './settings/http-settings.ts';
import type { IssuerKeys } from './guards/issuer-keys.ts';

/** The HTTP settings of a service, and how long it drains connections when it closes. */
type HttpServiceConfig = HttpConfig & { SHUTDOWN_DRAIN_MS: number };

export interface HttpServiceOptions {
  /** Title and description of the OpenAPI document. */
  title: string;
  description: string;
  /** Matched in this order. */
  routes: readonly Route[];
}

/**
 * Serves the API of a service on `PORT` until the service closes: its routes behind the guards that the configuration
 * asks for, the OpenAPI document and request metrics.
 * @throws OperatorError where the port cannot be opened, or the authentication settings are incomplete
 */
export async function startHttpService(
  context: ServiceContext<HttpServiceConfig>,
  options: HttpServiceOptions,
): Promise<void> {
  const { config, log, registry, onDrain, onClose } = context;
  const guards = httpGuards(context);
  if (guards.keys !== undefined) requireKeys(guards.keys, context);
  const app = createHttpApp({
    ...options,
    version,
    guards,
    metrics: new HttpMetrics(registry),
    log,
  });
  const { HOST: host, PORT: port, MAX_CONNECTION_AGE_MS: maxConnectionAgeMs } = config;
  const api = await listen({ app, host, port, variable: 'PORT', log, maxConnectionAgeMs });
  onDrain(() => api.drain(config.SHUTDOWN_DRAIN_MS));
  onClose('api', () => api.close());
}

/**
 * Fetches the signing keys at start. A process that never had them may have a wrong issuer, so it is not ready, and its
 * rollout stops; a later outage of the issuer does not matter while keys are cached (docs/adr/0121).
 */
function requireKeys(
  keys: IssuerKeys,
  { readiness, signal }: Pick<ServiceContext<unknown>, 'readiness' | 'signal'>,
): void {
  readiness.require('issuerKeys', () => keys.unavailableReason);
  void keys.fetchUntilKnown(signal);
}
