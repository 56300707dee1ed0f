import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Gateway, GatewayOptions } from './gateway.ts';
import type { HttpRoutes } from './chart-routes.ts';

type Match = HttpRoutes['rules'][number]['matches'][number];

/** As of Traefik for an HTTPRoute: a router for each match, exact paths first, then the longest. */
export const traefik: Gateway = {
  name: 'Traefik',
  program: 'traefik',
  versionArguments: ['version'],
  configure(options) {
    const file = join(options.folder, 'routes.yaml');
    writeFileSync(file, JSON.stringify(configuration(options)));
    return [
      `--entrypoints.web.address=127.0.0.1:${options.port}`,
      `--providers.file.filename=${file}`,
    ];
  },
};

function configuration({ servers, routes }: GatewayOptions): object {
  const services = [...servers].map(
    ([name, port]) =>
      [name, { loadBalancer: { servers: [{ url: `http://127.0.0.1:${port}` }] } }] as const,
  );
  const routers = routes.httpRoute.rules.flatMap(({ matches, component }) =>
    matches.map((match) => {
      const router = { rule: ruleOf(match), priority: priorityOf(match), service: component };
      return [`${match.type} ${match.value}`, router] as const;
    }),
  );
  return {
    http: { routers: Object.fromEntries(routers), services: Object.fromEntries(services) },
  };
}

function ruleOf({ type, value }: Match): string {
  if (type === 'Exact') return `Path(\`${value}\`)`;
  if (type === 'PathPrefix') return `(Path(\`${value}\`) || PathPrefix(\`${value}/\`))`;
  return `PathRegexp(\`${value}\`)`;
}

const priorityOf = ({ type, value }: Match): number =>
  type === 'Exact' ? 100_000 : 10_000 + value.length * 100;
