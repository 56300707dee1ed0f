import { version } from '@engawa/service';
import { createHttpApp } from './create-http-app.ts';
import { httpGuards } from './guards/http-guards.ts';
import { openHotPartitions } from './hot-partitions/open-hot-partitions.ts';
import { HttpMetrics } from './route/http-metrics.ts';
import { serve } from './server/serve.ts';
import type { ServiceContext } from '@engawa/service';
import type { WatchedHeat } from './hot-partitions/peer-poller.ts';
import type { Route } from './route/route.ts';
import type { ServeConfig } from './server/serve.ts';

export interface HttpServiceOptions {
  /** Title and description of the OpenAPI document. */
  title: string;
  description: string;
  /** Matched in this order; the routes that report hot partitions are added. */
  routes: readonly Route[];
  /** Heat of the partition keys that this process uses. */
  heat: WatchedHeat;
}

/**
 * Serves the API of a service on `PORT` until the service closes: its routes behind the guards that the configuration
 * asks for, the hot-partition report, the OpenAPI document and request metrics.
 * @throws OperatorError where the port cannot be opened, or the authentication settings are incomplete
 */
export async function startHttpService(
  context: ServiceContext<ServeConfig>,
  { heat, routes, ...info }: HttpServiceOptions,
): Promise<void> {
  const app = createHttpApp({
    ...info,
    version,
    routes: [...routes, ...openHotPartitions(context, heat)],
    guards: httpGuards(context),
    metrics: new HttpMetrics(context.registry),
    log: context.log,
  });
  await serve(app, context);
}
