import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IPrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule';
import type { IServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import type { IConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { stringify } from 'yaml';
import { chartFolder } from '../src/chart-folder.ts';
import { describeWithHelm } from './describe-with-helm.ts';
import { least, monitored } from './values.ts';
import { Rendered, services } from './rendered.ts';

const release = { name: 'house', namespace: 'home', values: { ...least, monitoring: monitored } };
/** The runbooks' address in a dashboard without the chart. */
const runbooks = 'https://example.com/engawa/docs/runbooks';
const ruleOf = (rendered: Rendered) => {
  const [rule] = rendered.ofKind<IPrometheusRule>('PrometheusRule');
  if (!rule) throw new Error('there is no PrometheusRule');
  return rule;
};

const rulesOf = (rendered: Rendered) =>
  (ruleOf(rendered).spec.groups ?? []).flatMap((group) => group.rules ?? []);

describeWithHelm(
  'the rules',
  () => {
    it('are valid for Prometheus', () => {
      const folder = mkdtempSync(join(tmpdir(), 'engawa-rules-'));
      const file = join(folder, 'rules.yaml');
      writeFileSync(file, stringify(ruleOf(Rendered.of(release)).spec));
      const { stdout, stderr } = spawnSync('promtool', ['check', 'rules', file], {
        encoding: 'utf8',
      });
      rmSync(folder, { recursive: true });
      expect(stdout + stderr).toMatch(/SUCCESS: \d+ rules found/);
    });
  },
  ['promtool'],
);

describeWithHelm('monitoring', () => {
  const rendered = Rendered.of(release);
  const rules = JSON.stringify(ruleOf(rendered));

  it('has rules for this release only', () => {
    expect(rules).not.toMatch(/\$(namespace|release|runbooks|allowed_|target_)/);
    expect(rules).toContain('namespace=\\"home\\", release=\\"house\\"');
    const general = rulesOf(rendered).filter(
      ({ expr, labels }) =>
        !String(expr).includes('release="house"') && labels?.['release'] !== 'house',
    );
    expect(general).toEqual([]);
  });

  it('expects no disabled component', () => {
    const monitoring = monitored;
    const values = { ...least, monitoring, mqtt: {}, ingestion: { enabled: false } };
    const wanted = (one: Rendered) =>
      rulesOf(one)
        .filter(({ record }) => record === 'component:engawa:wanted')
        .map(({ labels }) => labels?.['component']);
    expect(wanted(rendered)).toEqual([...services]);
    expect(wanted(Rendered.of({ values }))).toEqual(['registry', 'query', 'catalog']);
  });

  it('records the wanted replicas of each component from the cluster, or else from the values', () => {
    const values = {
      ...least,
      monitoring: monitored,
      query: { replicas: 3 },
      catalog: { autoscaling: { enabled: true, minReplicas: 2, maxReplicas: 4 } },
    };
    const recorded = rulesOf(Rendered.of({ ...release, values }))
      .filter(({ record }) => record === 'component:engawa:wanted_replicas')
      .map(({ labels, expr }) => [labels?.['component'], expr]);
    expect(Object.fromEntries(recorded)).toMatchObject({
      ingestion:
        '(max(kube_statefulset_replicas{namespace="home", statefulset="house-engawa-ingestion"}) or vector(1)) + 1',
      catalog:
        'max(kube_deployment_spec_replicas{namespace="home", deployment="house-engawa-catalog"}) or vector(2)',
      query:
        'max(kube_deployment_spec_replicas{namespace="home", deployment="house-engawa-query"}) or vector(3)',
    });
  });

  it('links alerts to existing runbooks', () => {
    const alerts = rulesOf(rendered).filter(({ alert }) => alert !== undefined);
    const links = alerts.map(({ annotations }) => annotations?.['runbook_url'] ?? '');
    expect(links.length).toBeGreaterThan(5);
    const files = links.map((link) => {
      expect(link).toMatch(/^https:\/\/runbooks\.example\/engawa\/[A-Za-z]/);
      return join(chartFolder, '../../docs/runbooks', link.split('/').at(-1) ?? '');
    });
    expect(files.map((file) => readFileSync(file, 'utf8').length > 0)).not.toContain(false);
  });

  it("has no link when the runbooks' address is not set", () => {
    const values = { ...least, monitoring: { rules: { enabled: true } } };
    const alerts = rulesOf(Rendered.of({ ...release, values })).filter(({ alert }) => alert);
    expect(alerts.length).toBeGreaterThan(5);
    expect(alerts.filter(({ annotations }) => annotations?.['runbook_url'])).toEqual([]);
    expect(alerts.every(({ annotations }) => annotations?.['summary'])).toBe(true);
  });

  it('alerts by the objective of the values', () => {
    const slo = { availability: 99.95, latency: { percent: 95, seconds: 0.25 } };
    const values = { ...least, monitoring: { ...monitored, slo } };
    const text = JSON.stringify(rulesOf(Rendered.of({ ...release, values })));
    expect(text).toContain('> 14.4 * 0.0005\\n');
    expect(text).toContain('> 14.4 * 0.05\\n');
    expect(text).toContain('le=~\\"0.25|0.25[.]0\\"');
    expect(text).toContain('took longer than 0.25 s');
    const usual = JSON.stringify(rulesOf(rendered));
    expect(usual).toContain('> 14.4 * 0.001\\n');
    expect(usual).toContain('le=~\\"1|1[.]0\\"');
  });

  it('contains every dashboard unchanged except for runbook links, with the label of the sidecar', () => {
    const files = globSync('dashboards/*.json', { cwd: chartFolder });
    expect(files.length).toBeGreaterThan(3);
    const maps = rendered
      .ofKind<IConfigMap>('ConfigMap')
      .filter(({ metadata }) => metadata.labels?.['grafana_dashboard'] === '1');
    const shown = maps.flatMap(({ data = {} }) => Object.values(data));
    expect(shown.sort()).toEqual(
      files
        .map((file) => readFileSync(join(chartFolder, file), 'utf8'))
        .map((text) => text.replaceAll(runbooks, 'https://runbooks.example/engawa'))
        .sort(),
    );
    expect(maps.map(({ metadata }) => metadata.annotations?.['grafana_folder'])).toEqual(
      files.map(() => 'Engawa'),
    );
    expect(new Set(maps.flatMap(({ data }) => Object.keys(data ?? {}))).size).toBe(files.length);
  });

  it('scrapes with the labels that rules and dashboards select', () => {
    const [monitor] = rendered.ofKind<IServiceMonitor>('ServiceMonitor');
    expect(monitor?.metadata.labels).toMatchObject({ release: 'prometheus' });
    const [endpoint] = monitor?.spec.endpoints ?? [];
    expect(endpoint).toMatchObject({ port: 'metrics', path: '/metrics', interval: '15s' });
    const targets = (endpoint?.relabelings ?? []).map(({ sourceLabels, targetLabel }) => [
      targetLabel,
      sourceLabels,
    ]);
    expect(Object.fromEntries(targets) as unknown).toEqual({
      release: ['__meta_kubernetes_service_label_app_kubernetes_io_instance'],
      component: ['__meta_kubernetes_service_label_app_kubernetes_io_component'],
    });
  });

  it('is rendered only when it is enabled', () => {
    const kinds = Rendered.of({ values: least }).objects.map(({ kind }) => kind);
    expect(kinds).not.toContain('ServiceMonitor');
    expect(kinds).not.toContain('PrometheusRule');
    const maps = Rendered.of({ values: least }).ofKind<IConfigMap>('ConfigMap');
    expect(maps.filter(({ metadata }) => metadata.name.includes('dashboard'))).toEqual([]);
  });
});
