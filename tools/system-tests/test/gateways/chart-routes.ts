import { render } from '@engawa/chart/helm';
import type { KubernetesObject } from '@engawa/chart/helm';

/** What an Ingress has for its controller. */
export interface IngressRoutes {
  annotations: Record<string, string>;
  paths: { path: string; component: string }[];
}

/** What an HTTPRoute has for its controller. */
export interface HttpRoutes {
  rules: {
    matches: { type: 'Exact' | 'PathPrefix' | 'RegularExpression'; value: string }[];
    requestTimeout: string;
    component: string;
  }[];
}

export interface ChartRoutes {
  ingress: (annotations: Record<string, string>) => IngressRoutes;
  httpRoute: HttpRoutes;
}

interface Ingress extends KubernetesObject {
  spec: {
    rules: { http: { paths: { path: string; backend: { service: { name: string } } }[] } }[];
  };
}

interface HttpRoute extends KubernetesObject {
  spec: {
    rules: {
      matches: { path: HttpRoutes['rules'][number]['matches'][number] }[];
      timeouts: { request: string };
      backendRefs: [{ name: string }];
    }[];
  };
}

const componentOf = (service: string): string => service.replace('engawa-', '');

/** The routes of all services and the console, as the chart renders them. */
export function renderRoutes(): ChartRoutes {
  return { ingress: renderIngress, httpRoute: renderHttpRoute() };
}

function renderIngress(annotations: Record<string, string>): IngressRoutes {
  const ingress = rendered('Ingress', { ingress: { enabled: true, annotations } }) as Ingress;
  return {
    annotations: ingress.metadata.annotations ?? {},
    paths: ingress.spec.rules.flatMap(({ http }) =>
      http.paths.map(({ path, backend }) => ({
        path,
        component: componentOf(backend.service.name),
      })),
    ),
  };
}

function renderHttpRoute(): HttpRoutes {
  const httpRoute = { enabled: true, parentRefs: [{ name: 'public' }] };
  const { spec } = rendered('HTTPRoute', { httpRoute }) as HttpRoute;
  return {
    rules: spec.rules.map(({ matches, timeouts, backendRefs: [{ name }] }) => ({
      matches: matches.map(({ path }) => path),
      requestTimeout: timeouts.request,
      component: componentOf(name),
    })),
  };
}

function rendered(kind: string, values: object): KubernetesObject {
  const objects = render({
    values: { demo: { enabled: true }, console: { enabled: true }, ...values },
  });
  const found = objects.find((object) => object.kind === kind);
  if (!found) throw new Error(`the chart renders no ${kind}`);
  return found;
}
