import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Gateway, GatewayOptions } from './gateway.ts';

const annotations = { 'haproxy-ingress.github.io/path-type': 'regex' };

/** As of HAProxy Ingress, with its default timeouts; it matches expressions from the start of the path. */
export const haproxy: Gateway = {
  name: 'HAProxy',
  program: 'haproxy',
  versionArguments: ['-v'],
  configure(options) {
    const file = join(options.folder, 'haproxy.cfg');
    writeFileSync(file, configuration(options));
    return ['-db', '-f', file];
  },
};

function configuration({ port, servers, routes }: GatewayOptions): string {
  const { paths } = routes.ingress(annotations);
  const backends = [...servers].map(
    ([name, of]) => `backend ${name}\n  server only 127.0.0.1:${of}`,
  );
  return `
defaults
  mode http
  timeout http-request 5s
  timeout connect 5s
  timeout client 50s
  timeout server 50s
  timeout http-keep-alive 1m

frontend entry
  bind 127.0.0.1:${port}
  http-request set-header X-Forwarded-For %[src]
  ${paths.map(({ path, component }) => `use_backend ${component} if { path_reg '^${path}' }`).join('\n  ')}
  http-request deny deny_status 404 unless { path_reg '${paths.map(({ path }) => `^${path}`).join('|')}' }

${backends.join('\n\n')}
`;
}
