import type { IIngress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { describeWithHelm } from './describe-with-helm.ts';
import { refusedBySchema, refusedByType } from './check-objects.ts';
import { pathsOf, routes } from './routing-paths.ts';
import { least } from './values.ts';
import { Rendered } from './rendered.ts';

const annotations = { 'nginx.ingress.kubernetes.io/use-regex': 'true' };
const tls = [{ secretName: 'homes-tls', hosts: ['homes.example'] }];
const labels = { team: 'homes' };
const ingress = {
  labels,
  enabled: true,
  className: 'nginx',
  hosts: ['homes.example'],
  tls,
  annotations,
};

const ingressesOf = (values: object) =>
  Rendered.of({ name: 'house', values: { ...least, ...values } }).ofKind<
    IIngress & { kind: 'Ingress' }
  >('Ingress');

/** The services that an Ingress selects for a path, with a controller that treats paths as regular expressions. */
function servicesOf(found: IIngress | undefined, path: string): string[] {
  const rules = (found?.spec?.rules ?? []).flatMap(({ http }) => http?.paths ?? []);
  const fitting = rules.filter((rule) => new RegExp(`^${rule.path}`).test(path));
  return fitting.map(({ backend }) => backend.service?.name ?? '');
}

describeWithHelm('the Ingress', () => {
  const [found] = ingressesOf({ ingress });
  const [withConsole] = ingressesOf({ ingress, console: { enabled: true } });

  it('is rendered only when it is enabled', () => {
    expect(ingressesOf({})).toEqual([]);
  });

  it('takes host, class, certificate and annotations from the values', () => {
    expect(found?.metadata).toMatchObject({ name: 'house-engawa', annotations, labels });
    expect(found?.spec).toMatchObject({ ingressClassName: 'nginx', tls });
    expect(found?.spec?.rules?.map(({ host }) => host)).toEqual(['homes.example']);
    const [open] = ingressesOf({ ingress: { enabled: true, annotations } });
    expect(open?.spec?.rules?.map(({ host }) => host)).toEqual([undefined]);
    expect(open?.spec).not.toHaveProperty('ingressClassName');
  });

  it('routes each path of the routing table to its service only', () => {
    const asked = routes.flatMap(({ service, matches }) =>
      matches.flatMap(pathsOf).map((path) => ({ path, service: `house-engawa-${service}` })),
    );
    expect(asked.length).toBeGreaterThan(40);
    const led = asked.map(({ path }) => ({ path, services: servicesOf(withConsole, path) }));
    expect(led).toEqual(asked.map(({ path, service }) => ({ path, services: [service] })));
  });

  it.each([
    '/',
    '/house',
    '/api/query/v1/devices',
    '/docs',
    '/v1',
    '/v1/devices/a/b/c/d',
    '/v1/readingsX',
    '/x/v1/devices',
    '/v1/hot-partitions',
    '/v1/hot-partitions/history',
  ])('does not route %s', (path) => {
    expect(servicesOf(found, path)).toEqual([]);
  });

  it('routes to an existing port, and nothing to a disabled service', () => {
    const rendered = Rendered.of({
      name: 'house',
      values: { ...least, ingress, catalog: { enabled: false } },
    });
    const [one] = rendered.ofKind<IIngress & { kind: 'Ingress' }>('Ingress');
    const backends = one?.spec?.rules?.flatMap(({ http }) => http?.paths ?? []) ?? [];
    const names = new Set(backends.map(({ backend }) => backend.service?.name));
    expect(names).toEqual(
      new Set(['ingestion', 'registry', 'query'].map((name) => `house-engawa-${name}`)),
    );
    for (const name of names) {
      const service = rendered.objects.find(
        ({ kind, metadata }) => kind === 'Service' && metadata.name === name,
      );
      expect(JSON.stringify(service)).toContain('"name":"http"');
    }
    expect(new Set(backends.map(({ backend }) => backend.service?.port?.name))).toEqual(
      new Set(['http']),
    );
  });

  it('is valid by its schema and type', () => {
    const all = [
      ...ingressesOf({ ingress, console: { enabled: true } }),
      ...ingressesOf({ ingress: { enabled: true, annotations } }),
    ];
    expect(refusedBySchema(all)).toEqual([]);
    expect(refusedByType(all)).toEqual([]);
    const paths = all
      .flatMap(({ spec }) => spec?.rules ?? [])
      .flatMap(({ http }) => http?.paths ?? []);
    // The API server's rules for paths of any type.
    expect(paths.filter(({ path }) => path?.startsWith('/') !== true)).toEqual([]);
  });
});
