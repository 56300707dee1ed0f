import type { IIngress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { describeWithHelm } from './describe-with-helm.ts';
import { Rendered } from './rendered.ts';
import { pathsOf, routes } from './routing-paths.ts';
import { least } from './values.ts';

/** Rules of an ALB without quota increase. */
const mostRules = 100;

describeWithHelm('the Ingress of an Application Load Balancer', () => {
  const ingress = { enabled: true, className: 'alb', pathStyle: 'wildcards' };
  const values = { ...least, ingress, console: { enabled: true } };
  const [found] = Rendered.of({ name: 'house', values }).ofKind<IIngress & { kind: 'Ingress' }>(
    'Ingress',
  );
  const rules = (found?.spec?.rules ?? []).flatMap(({ http }) => http?.paths ?? []);

  /** The first rule whose path matches; `*` matches any characters (Elastic Load Balancing, path conditions). */
  const serviceOf = (path: string) => {
    const matches = (pattern = '') =>
      new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(path);
    return rules.find((rule) => matches(rule.path))?.backend.service?.name;
  };

  it('routes each path of the routing table to its service', () => {
    const asked = routes.flatMap(({ service, matches }) =>
      matches.flatMap(pathsOf).map((path) => [path, `house-engawa-${service}`]),
    );
    expect(asked.length).toBeGreaterThan(40);
    expect(asked.map(([path = '']) => [path, serviceOf(path)])).toEqual(asked);
  });

  it('has no regular expression, and fewer rules than an ALB takes', () => {
    expect(rules.length).toBeLessThan(mostRules);
    for (const { path, pathType } of rules) {
      expect(path).toMatch(/^\/[\w*/-]*$/);
      expect(pathType).toBe('ImplementationSpecific');
    }
  });
});
