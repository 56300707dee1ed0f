import { contractOf, httpSettings, startHttpService } from '@engawa/http';
import { serviceSettings, startService } from '@engawa/service';
import { ListeningPorts, Metrics } from '@engawa/testing';
import { z } from 'zod';
import type { OpenApiDocument, Route } from '@engawa/http';
import type { ServiceModule } from '@engawa/service';

const settings = z.object({ ...serviceSettings, ...httpSettings });

export interface StartedApp {
  url: string;
  contract(): Promise<OpenApiDocument>;
  /** Number of requests counted under these labels. */
  counted(route: string, status: number): Promise<number>;
  close(): Promise<void>;
}

/** A service called `sample` of these routes, on a free port. */
export async function startApp(
  routes: readonly Route[],
  environment: Record<string, string>,
): Promise<StartedApp> {
  const ports = new ListeningPorts();
  const module: ServiceModule<typeof settings> = {
    settings,
    start: (context) =>
      startHttpService(context, { title: 'Sample', description: 'For the tests', routes }),
  };
  const { context, close } = await startService({
    name: 'sample',
    module,
    environment: { PORT: '0', ...environment },
    logDestination: ports,
  });
  const url = ports.url('PORT');
  return {
    url,
    contract: () => contractOf(url),
    counted: async (route, status) => {
      const metrics = new Metrics(await context.registry.metrics());
      const labels = { route, status: String(status) };
      return metrics.sum('http_server_request_duration_seconds_count', labels);
    },
    close,
  };
}
