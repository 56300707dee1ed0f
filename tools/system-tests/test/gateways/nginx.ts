import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Gateway, GatewayOptions } from './gateway.ts';

const prefix = 'nginx.ingress.kubernetes.io';
const annotations = { [`${prefix}/use-regex`]: 'true', [`${prefix}/proxy-body-size`]: '64m' };

/**
 * As of ingress-nginx, except that responses are buffered, as nginx and the controller of F5 do by default: a
 * `location` for each path, case-insensitive, longest first.
 */
export const nginx: Gateway = {
  name: 'nginx',
  program: 'nginx',
  decodesSlashes: true,
  versionArguments: ['-v'],
  configure(options) {
    const file = join(options.folder, 'nginx.conf');
    writeFileSync(file, configuration(options));
    return ['-p', options.folder, '-e', 'stderr', '-c', file];
  },
};

function configuration({ port, servers, routes, folder }: GatewayOptions): string {
  const { annotations: given, paths } = routes.ingress(annotations);
  const locations = paths
    .toSorted((a, b) => b.path.length - a.path.length)
    .map(
      ({ path, component }) =>
        `location ~* "^${path}" { proxy_pass http://127.0.0.1:${servers.get(component)}; }`,
    );
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  return `
daemon off;
user root;
pid ${join(folder, 'nginx.pid')};
events {}
http {
  access_log off;
  ${temporary.join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    client_max_body_size ${given[`${prefix}/proxy-body-size`] ?? '1m'};
    proxy_http_version 1.1;
    proxy_set_header Host $http_host;
    proxy_set_header Connection "";
    proxy_set_header X-Forwarded-For $remote_addr;
    ${locations.join('\n    ')}
    location / { return 404; }
  }
}
`;
}
