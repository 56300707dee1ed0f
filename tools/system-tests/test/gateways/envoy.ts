import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Gateway, GatewayOptions } from './gateway.ts';
import type { HttpRoutes } from './chart-routes.ts';

type Match = HttpRoutes['rules'][number]['matches'][number];

/** As of Envoy Gateway for an HTTPRoute, with `escapedSlashesAction: KeepUnchanged` in its ClientTrafficPolicy. */
export const envoy: Gateway = {
  name: 'Envoy',
  program: 'envoy',
  versionArguments: ['--version'],
  configure(options) {
    const file = join(options.folder, 'envoy.json');
    writeFileSync(file, JSON.stringify(configuration(options)));
    return ['-c', file, '--use-dynamic-base-id', '--concurrency', '1', '--log-level', 'warning'];
  },
};

function configuration(options: GatewayOptions): object {
  const { port, servers } = options;
  return {
    static_resources: {
      listeners: [
        { name: 'entry', address: address(port), filter_chains: [{ filters: [manager(options)] }] },
      ],
      clusters: [...servers].map(([name, of]) => ({
        name,
        type: 'STATIC',
        load_assignment: {
          cluster_name: name,
          endpoints: [{ lb_endpoints: [{ endpoint: { address: address(Number(of)) } }] }],
        },
      })),
    },
  };
}

const address = (port: number) => ({
  socket_address: { address: '127.0.0.1', port_value: port },
});

function manager({ routes }: GatewayOptions): object {
  const extension = 'type.googleapis.com/envoy.extensions.filters';
  return {
    name: 'envoy.filters.network.http_connection_manager',
    typed_config: {
      '@type': `${extension}.network.http_connection_manager.v3.HttpConnectionManager`,
      stat_prefix: 'entry',
      normalize_path: true,
      merge_slashes: true,
      path_with_escaped_slashes_action: 'KEEP_UNCHANGED',
      use_remote_address: true,
      http_filters: [
        {
          name: 'envoy.filters.http.router',
          typed_config: { '@type': `${extension}.http.router.v3.Router` },
        },
      ],
      route_config: {
        virtual_hosts: [{ name: 'all', domains: ['*'], routes: routesOf(routes.httpRoute) }],
      },
    },
  };
}

function routesOf({ rules }: HttpRoutes): object[] {
  return rules.flatMap(({ matches, requestTimeout, component }) =>
    matches.map((match) => ({
      match: matchOf(match),
      route: { cluster: component, timeout: requestTimeout },
    })),
  );
}

function matchOf({ type, value }: Match): object {
  if (type === 'Exact') return { path: value };
  if (type === 'PathPrefix') return { path_separated_prefix: value };
  return { safe_regex: { regex: value } };
}
