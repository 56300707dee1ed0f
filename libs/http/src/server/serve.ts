import type { RequestListener } from 'node:http';
import type { ServiceContext } from '@engawa/service';
import type { HttpConfig } from '../settings/http-settings.ts';
import { listen } from './listen.ts';

/** The HTTP settings of a service, and how long it drains connections when it closes. */
export type ServeConfig = HttpConfig & { SHUTDOWN_DRAIN_MS: number };

/**
 * Listens on `PORT` until the service closes; connections are drained for `SHUTDOWN_DRAIN_MS` first.
 * @throws OperatorError where the address or the port cannot be opened
 */
export async function serve(
  app: RequestListener,
  { config, log, onDrain, onClose }: ServiceContext<ServeConfig>,
): Promise<void> {
  const { HOST: host, PORT: port, MAX_CONNECTION_AGE_MS: maxConnectionAgeMs } = config;
  const api = await listen({ app, host, port, variable: 'PORT', log, maxConnectionAgeMs });
  onDrain(() => api.drain(config.SHUTDOWN_DRAIN_MS));
  onClose('api', () => api.close());
}
