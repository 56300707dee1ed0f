import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import type { HttpConfig } from '../settings/http-settings.ts';
import { listen } from './listen.ts';

/** What a service is built from, as far as its API needs it. */
export interface ServeContext {
  config: Pick<HttpConfig, 'HOST' | 'PORT' | 'MAX_CONNECTION_AGE_MS'> & {
    /** Milliseconds. */
    SHUTDOWN_DRAIN_MS: number;
  };
  log: Logger;
  onDrain: (drain: () => Promise<void>) => void;
  onClose: (name: string, close: () => Promise<void>) => void;
}

/**
 * Answers at the port of the API until the service closes, and for `SHUTDOWN_DRAIN_MS` after it was told to.
 * @throws OperatorError when the address or the port cannot be had
 */
export async function serve(app: RequestListener, context: ServeContext): Promise<void> {
  const { config, log, onDrain, onClose } = context;
  const { HOST: host, PORT: port, MAX_CONNECTION_AGE_MS: maxConnectionAgeMs } = config;
  const api = await listen({ app, host, port, variable: 'PORT', log, maxConnectionAgeMs });
  onDrain(() => api.drain(config.SHUTDOWN_DRAIN_MS));
  onClose('api', () => api.close());
}
