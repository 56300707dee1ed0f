import type { IPodMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor';
import type { IPrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule';
import type { IServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import type { IConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { describeWithHelm } from './describe-with-helm.ts';
import { refusedBySchema, refusedByType } from './check-objects.ts';
import { least } from './values.ts';
import { Rendered, services } from './rendered.ts';
import { selects } from './selects.ts';

const rendered = (monitoring: object) =>
  Rendered.of({ name: 'house', namespace: 'home', values: { ...least, monitoring } });

const relabelings = [{ action: 'labeldrop', regex: 'endpoint' }];
const metricRelabelings = [{ sourceLabels: ['__name__'], regex: 'nodejs_.*', action: 'drop' }];
const scrape = {
  enabled: true,
  interval: '10s',
  scrapeTimeout: '5s',
  labels: { a: 'b' },
  relabelings,
  metricRelabelings,
};
/** Relabelings with the labels that dashboards and rules select. */
const ownRelabelings = (role: string) => [
  {
    sourceLabels: [`__meta_kubernetes_${role}_label_app_kubernetes_io_instance`],
    targetLabel: 'release',
  },
  {
    sourceLabels: [`__meta_kubernetes_${role}_label_app_kubernetes_io_component`],
    targetLabel: 'component',
  },
];
const endpoint = (role: string) => ({
  port: 'metrics',
  path: '/metrics',
  interval: '10s',
  scrapeTimeout: '5s',
  relabelings: [...ownRelabelings(role), ...relabelings],
  metricRelabelings,
});

describeWithHelm('monitors', () => {
  it('for Services scrape as configured by the values', () => {
    const all = rendered({ serviceMonitor: scrape });
    const [monitor] = all.ofKind<IServiceMonitor & { kind: 'ServiceMonitor' }>('ServiceMonitor');
    expect(monitor?.metadata.labels).toMatchObject({ a: 'b' });
    expect(monitor?.spec.endpoints).toEqual([endpoint('service')]);
  });

  it('for pods select every pod of the services, and no others', () => {
    const all = rendered({ podMonitor: scrape });
    const monitors = all.ofKind<IPodMonitor & { kind: 'PodMonitor' }>('PodMonitor');
    expect(monitors.map(({ spec }) => spec.podMetricsEndpoints)).toEqual([[endpoint('pod')]]);
    const [monitor] = monitors;
    const taken = all.pods.filter(({ labels }) => selects(monitor?.spec.selector, labels));
    expect(taken).toHaveLength(services.length + 1);
    expect(new Set(taken.map(({ component }) => component))).toEqual(new Set(services));
    expect(refusedBySchema(monitors)).toEqual([]);
    expect(refusedByType(monitors)).toEqual([]);
    expect(all.objects.filter(({ kind }) => kind === 'ServiceMonitor')).toEqual([]);
  });
});

describeWithHelm('alerts', () => {
  const rulesOf = (rules: object) => {
    const [rule] = rendered({ rules: { enabled: true, ...rules } }).ofKind<
      IPrometheusRule & { kind: 'PrometheusRule' }
    >('PrometheusRule');
    return (rule?.spec.groups ?? []).flatMap((group) => group.rules ?? []);
  };
  const plain = rulesOf({});
  const [first, second] = plain.filter(({ alert }) => alert !== undefined);
  const [off = '', changed = ''] = [first?.alert, second?.alert];
  const ruleNamed = (rules: typeof plain, name: string) =>
    rules.find(({ alert }) => alert === name);

  it('can be disabled one by one', () => {
    expect(rulesOf({ alerts: { [off]: { enabled: false } } })).toEqual(
      plain.filter(({ alert }) => alert !== off),
    );
  });

  it('take duration, expression and labels from the values', () => {
    const changes = {
      for: '42m',
      expr: 'vector(1) > 2',
      labels: { severity: 'info' },
      annotations: { summary: 'Other' },
    };
    const rules = rulesOf({ alerts: { [changed]: changes } });
    const before = ruleNamed(plain, changed);
    expect(ruleNamed(rules, changed)).toEqual({
      ...before,
      ...changes,
      labels: { ...before?.labels, severity: 'info' },
      annotations: { ...before?.annotations, summary: 'Other' },
    });
    expect(rules.filter(({ alert }) => alert !== changed)).toEqual(
      plain.filter(({ alert }) => alert !== changed),
    );
  });

  it('have the labels that the values add; recording rules do not', () => {
    const rules = rulesOf({ alertLabels: { team: 'homes' } });
    expect(rules.map(({ alert, labels }) => [alert !== undefined, labels?.['team']])).toEqual(
      plain.map(({ alert }) => [alert !== undefined, alert === undefined ? undefined : 'homes']),
    );
  });
});

describeWithHelm('dashboards', () => {
  const mapsOf = (dashboards: object) =>
    rendered({ dashboards: { enabled: true, ...dashboards } })
      .ofKind<IConfigMap & { kind: 'ConfigMap' }>('ConfigMap')
      .filter(({ metadata }) => metadata.labels?.['grafana_dashboard'] === '1');

  it("are in the sidecar's namespace, under unique names", () => {
    const maps = mapsOf({ namespace: 'monitoring', folder: 'Homes', annotations: { a: 'b' } });
    expect(maps.length).toBeGreaterThan(3);
    for (const { metadata } of maps) {
      expect(metadata.namespace).toBe('monitoring');
      expect(metadata.name).toMatch(/^home-house-engawa-dashboard-/);
      expect(metadata.annotations).toEqual({ a: 'b', grafana_folder: 'Homes' });
    }
  });

  it("take the folder's annotation from the values", () => {
    const [map] = mapsOf({ folder: 'Homes', folderAnnotation: 'k8s-sidecar-target-directory' });
    expect(map?.metadata.annotations).toEqual({ 'k8s-sidecar-target-directory': 'Homes' });
    expect(map?.metadata.name).toMatch(/^house-engawa-dashboard-/);
  });
});
