import type { IService } from 'kubernetes-models/v1/Service';
import type { IServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { describeWithHelm } from './describe-with-helm.ts';
import { everything, jwt, least, monitored, role } from './values.ts';
import { Rendered, servers, services } from './rendered.ts';

const on = { enabled: true };
const withConsole = (values: object = {}) =>
  Rendered.of({ name: 'house', values: { ...least, console: on, ...values } });

describeWithHelm('the console', () => {
  it('is off by default', () => {
    const all = Rendered.of({ values: { ...least, monitoring: monitored } });
    const text = JSON.stringify(
      all.objects.filter(({ metadata }) => !metadata.name.includes('dashboard')),
    );
    expect(text).not.toContain('engawa-console');
  });

  it('has the same kinds of objects as a service', () => {
    const rendered = withConsole({ monitoring: monitored });
    const kindsOf = (name: string) =>
      rendered.objects.filter(({ metadata }) => metadata.name === name).map(({ kind }) => kind);
    expect(kindsOf('house-engawa-console').sort()).toEqual(kindsOf('house-engawa-query').sort());
    const [own, others] = [rendered.container('console'), rendered.container('query')];
    for (const key of [
      'startupProbe',
      'livenessProbe',
      'readinessProbe',
      'securityContext',
    ] as const)
      expect(own[key]).toEqual(others[key]);
    expect(own.args).toEqual(['console']);
  });

  it('reaches all services, and each process of ingestion for live readings', () => {
    const rendered = withConsole();
    const environment = rendered.environment('console');
    const names = services.map((service) => `house-engawa-${service}`);
    expect(
      services.map((service) => environment.get(`${service.toUpperCase()}_URL`)?.value),
    ).toEqual(names.map((name) => `http://${name}:8080`));
    const { hostname, port } = new URL(environment.get('LIVE_FEED_URLS')?.value ?? '');
    const feed = rendered.named<IService & { kind: 'Service' }>('Service', hostname);
    expect(feed?.spec).toMatchObject({ clusterIP: 'None' });
    expect(feed?.spec?.selector).toEqual(
      rendered.named<IService & { kind: 'Service' }>('Service', names[0])?.spec?.selector,
    );
    expect(feed?.spec?.ports?.map((one) => String(one.port))).toContain(port);
  });

  it('reaches the probes and metrics of each process', () => {
    const environment = withConsole().environment('console');
    const urls = services.map(
      (name) => environment.get(`${name.toUpperCase()}_METRICS_URL`)?.value,
    );
    expect(urls).toEqual(services.map((name) => `http://house-engawa-${name}-headless:9464`));
  });

  it('reaches no disabled service', () => {
    const environment = withConsole({ mqtt: {}, ingestion: { enabled: false } }).environment(
      'console',
    );
    expect([...environment.keys()]).not.toContain('LIVE_FEED_URLS');
    expect([...environment.keys()]).not.toContain('INGESTION_URL');
    expect(environment.get('QUERY_URL')?.value).toBe('http://house-engawa-query:8080');
  });

  it('gets the credentials of Prometheus from a given Secret, whichever it has', () => {
    const prometheus = { existingSecret: 'prometheus-reader' };
    const environment = withConsole({ console: { ...on, prometheus } }).environment('console');
    const refs = [...environment.values()].flatMap(({ name, valueFrom }) =>
      valueFrom === undefined ? [] : [[name, valueFrom.secretKeyRef]],
    );
    const of = (key: string) => ({ name: 'prometheus-reader', key, optional: true });
    expect(Object.fromEntries(refs)).toEqual({
      PROMETHEUS_TOKEN: of('token'),
      PROMETHEUS_USERNAME: of('username'),
      PROMETHEUS_PASSWORD: of('password'),
    });
  });

  it('has no table, no other secret, and no role of defaults', () => {
    const rendered = Rendered.of({ values: everything });
    const environment = [...rendered.environment('console').values()];
    const secrets = environment.filter(({ valueFrom }) => valueFrom !== undefined);
    expect(secrets.filter(({ name }) => !name.startsWith('PROMETHEUS_'))).toEqual([]);
    const names = environment.map(({ name }) => name);
    expect(
      names.filter((name) => /^(TABLE|DYNAMODB|AWS|CURSOR|HOT|MQTT|SEARCH)/.test(name)),
    ).toEqual([]);
    const accountOf = (service: string) =>
      rendered.named<IServiceAccount & { kind: 'ServiceAccount' }>(
        'ServiceAccount',
        rendered.pod(service).spec.serviceAccountName,
      );
    expect(accountOf('query')?.metadata.annotations).toEqual(role('engawa').annotations);
    expect(accountOf('console')?.metadata.annotations).toBeUndefined();
  });

  it('signs in with the issuer of the services, as its own client', () => {
    const environment = withConsole({ auth: jwt }).environment('console');
    const valueOf = (name: string) => environment.get(name)?.value;
    expect(['AUTH_MODE', 'AUTH_ISSUER', 'AUTH_CLIENT_ID'].map(valueOf)).toEqual([
      'jwt',
      jwt.issuer,
      jwt.clientId,
    ]);
    expect(valueOf('AUTH_AUDIENCE')).toBeUndefined();
  });

  it('has its own number of replicas, and an autoscaler if defaults have one', () => {
    const group = { ...least.mqtt, group: 'homes' };
    const rendered = withConsole({ mqtt: group, defaults: { autoscaling: on } });
    const scaled = rendered.objects.filter(({ kind }) => kind === 'HorizontalPodAutoscaler');
    expect(scaled.map(({ metadata }) => metadata.name)).toEqual(
      servers.map((name) => `house-engawa-${name}`),
    );
    const { owner } = withConsole({ console: { enabled: true, replicas: 2 } }).pod('console');
    expect(owner).toMatchObject({ kind: 'Deployment', spec: { replicas: 2 } });
  });
});
