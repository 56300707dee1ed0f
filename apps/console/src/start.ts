import { join } from 'node:path';
import { OperatorError } from '@engawa/errors';
import { HttpMetrics, listen, startProbes } from '@engawa/http';
import { consoleApp } from './console-app.ts';
import { requireIssuer } from './session/require-issuer.ts';
import { issuerOf } from './session/session-routes.ts';
import type { ServiceContext } from '@engawa/service';
import type { Config } from './config.ts';

export { settings } from './config.ts';

/** In the image, beside the folder of the bundled chunks (tools/image/src/build-bundle.ts). */
const builtWeb = join(import.meta.dirname, '../dist');

/** The composition root: opens all ports. */
export async function start(context: ServiceContext<Config>): Promise<void> {
  const { config, log, registry, now, signal, onDrain, onClose } = context;
  if (config.AUTH_MODE === 'jwt' && config.AUTH_CLIENT_ID !== undefined && !config.AUTH_ISSUER) {
    throw new OperatorError('AUTH_CLIENT_ID needs AUTH_ISSUER: the issuer that has this client');
  }
  const { PROMETHEUS_TOKEN, PROMETHEUS_USERNAME, PROMETHEUS_PASSWORD } = config;
  if ((PROMETHEUS_USERNAME === undefined) !== (PROMETHEUS_PASSWORD === undefined)) {
    throw new OperatorError('PROMETHEUS_USERNAME and PROMETHEUS_PASSWORD need each other');
  }
  if (PROMETHEUS_TOKEN !== undefined && PROMETHEUS_USERNAME !== undefined) {
    throw new OperatorError('PROMETHEUS_TOKEN and PROMETHEUS_USERNAME exclude each other');
  }

  await startProbes(context);

  const issuer = issuerOf(config, now);
  if (issuer !== undefined) requireIssuer(issuer, context);

  const app = consoleApp({
    config,
    webFolder: builtWeb,
    log,
    metrics: new HttpMetrics(registry),
    now,
    issuer,
    signal,
  });
  const { HOST: host, PORT: port, MAX_CONNECTION_AGE_MS: maxConnectionAgeMs } = config;
  const server = await listen({ app, host, port, variable: 'PORT', log, maxConnectionAgeMs });
  onDrain(() => server.drain(config.SHUTDOWN_DRAIN_MS));
  onClose('server', () => server.close());
}
