import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IService } from 'kubernetes-models/v1/Service';
import { chartFolder } from '../src/chart-folder.ts';
import { describeWithHelm } from './describe-with-helm.ts';
import { Rendered } from './rendered.ts';
import { least } from './values.ts';

interface HttpRoute {
  kind: 'HTTPRoute';
  spec: {
    parentRefs: object[];
    hostnames?: string[];
    rules: {
      matches: { path: object }[];
      timeouts?: { request: string };
      backendRefs: { name: string; port: number }[];
    }[];
  };
}

const httpRoute = { enabled: true, parentRefs: [{ name: 'public', namespace: 'gateway' }] };
/** Limits of the HTTPRoute specification, version 1. */
const mostRules = 16;
const mostMatches = 8; // before 1.2; then 64

const routesIn = (values: object) =>
  Rendered.of({ name: 'house', values: { ...least, ...values } }).ofKind<HttpRoute>('HTTPRoute');

const console = { enabled: true };
const table = JSON.parse(readFileSync(join(chartFolder, 'files/routes.json'), 'utf8')) as {
  service: string;
  matches: object[];
}[];

describeWithHelm('the HTTPRoute', () => {
  it('is rendered only when it is enabled', () => {
    expect(routesIn({})).toEqual([]);
  });

  it('routes the paths of each service to its Service', () => {
    const hostnames = ['homes.example'];
    const values = { ...least, console, httpRoute: { ...httpRoute, hostnames } };
    const rendered = Rendered.of({ name: 'house', values });
    const [route] = rendered.ofKind<HttpRoute>('HTTPRoute');
    if (!route) throw new Error('there is no HTTPRoute');
    const { spec } = route;
    expect(spec).toMatchObject({ parentRefs: httpRoute.parentRefs, hostnames });
    const routed = spec.rules.flatMap(({ matches, backendRefs }) =>
      matches.map(({ path }) => [path, backendRefs[0]?.name]),
    );
    expect(routed).toEqual(
      table.flatMap(({ service, matches }) =>
        matches.map((path) => [path, `house-engawa-${service}`]),
      ),
    );
    for (const { backendRefs } of spec.rules) {
      const [{ name, port } = { name: '', port: 0 }] = backendRefs;
      const service = rendered.named<IService & { kind: 'Service' }>('Service', name);
      expect(service?.spec?.ports?.map((each) => each.port)).toContain(port);
    }
  });

  it('takes labels and annotations from the values', () => {
    const metadata = { labels: { team: 'homes' }, annotations: { 'example.com/note': '1' } };
    const [route] = routesIn({ httpRoute: { ...httpRoute, ...metadata } });
    expect(route?.metadata).toMatchObject(metadata);
  });

  it('keeps the limits of an HTTPRoute', () => {
    const [route] = routesIn({ httpRoute, console });
    const rules = route?.spec.rules ?? [];
    expect(rules.length).toBeLessThanOrEqual(mostRules);
    for (const { matches } of rules) expect(matches.length).toBeLessThanOrEqual(mostMatches);
  });

  it('does not end live feeds and exports, unless the values say so', () => {
    const timeouts = (more: object) =>
      routesIn({ httpRoute: { ...httpRoute, ...more } })[0]?.spec.rules.map(
        (rule) => rule.timeouts,
      );
    expect(new Set(timeouts({})?.map((each) => each?.request))).toEqual(new Set(['0s']));
    expect(new Set(timeouts({ requestTimeout: '' }))).toEqual(new Set([undefined]));
  });

  it('routes nothing to a disabled service', () => {
    const [route] = routesIn({ httpRoute, catalog: { enabled: false } });
    const names = route?.spec.rules.flatMap(({ backendRefs }) => backendRefs);
    expect(new Set(names?.map(({ name }) => name))).toEqual(
      new Set(['ingestion', 'registry', 'query'].map((service) => `house-engawa-${service}`)),
    );
  });
});
