import { HelmRefusal } from '../src/helm.ts';
import { describeWithHelm } from './describe-with-helm.ts';
import { least, monitored } from './values.ts';
import { Rendered } from './rendered.ts';
import { nameProblems } from './checks/names.ts';

const on = { enabled: true };
const gateway = { ...on, parentRefs: [{ name: 'public' }] };
const ingress = { ...on, annotations: { 'example.com/regex': 'true' } };

const kindOf = {
  serviceMonitor: 'ServiceMonitor',
  podMonitor: 'PodMonitor',
  rules: 'PrometheusRule',
  dashboards: 'ConfigMap',
} as const;

/** Where labels are values: the value of one, and the objects that have it. */
const labels: [path: string, values: (of: object) => object, kind: string][] = [
  ['commonLabels', (of) => ({ commonLabels: of }), 'ConfigMap'],
  ['query.service.labels', (of) => ({ query: { service: { labels: of } } }), 'Service'],
  ['httpRoute.labels', (of) => ({ httpRoute: { ...gateway, labels: of } }), 'HTTPRoute'],
  ['ingress.labels', (of) => ({ ingress: { ...ingress, labels: of } }), 'Ingress'],
  ...(['serviceMonitor', 'podMonitor', 'rules', 'dashboards'] as const).map(
    (name): [string, (of: object) => object, string] => [
      `monitoring.${name}.labels`,
      (of) => ({ monitoring: { [name]: { ...on, labels: of } } }),
      kindOf[name],
    ],
  ),
];

const annotations: [path: string, values: (of: object) => object, kind: string][] = [
  ['query.annotations', (of) => ({ query: { annotations: of } }), 'Deployment'],
  ['table.annotations', (of) => ({ table: { ...least.table, annotations: of } }), 'Job'],
  ['rollup.annotations', (of) => ({ rollup: { ...on, annotations: of } }), 'CronJob'],
  ['query.service.annotations', (of) => ({ query: { service: { annotations: of } } }), 'Service'],
  [
    'query.serviceAccount.annotations',
    (of) => ({ query: { serviceAccount: { annotations: of } } }),
    'ServiceAccount',
  ],
  [
    'query.autoscaling.keda.annotations',
    (of) => ({ query: { autoscaling: { ...on, keda: { ...on, annotations: of } } } }),
    'ScaledObject',
  ],
  ['httpRoute.annotations', (of) => ({ httpRoute: { ...gateway, annotations: of } }), 'HTTPRoute'],
  ['ingress.annotations', (of) => ({ ingress: { ...on, annotations: of } }), 'Ingress'],
  [
    'monitoring.dashboards.annotations',
    (of) => ({ monitoring: { dashboards: { ...on, annotations: of } } }),
    'ConfigMap',
  ],
];

const template = '{{ .Release.Name }}-{{ .Values.table.name }}';

const rendered = (values: object) => Rendered.of({ values: { ...least, ...values } });

/** Helm's error; empty when it accepts the values. */
function refusalOf(values: object): string {
  try {
    rendered(values);
    return '';
  } catch (error) {
    if (error instanceof HelmRefusal) return error.message;
    throw error;
  }
}

describeWithHelm('templates are rendered', () => {
  it.each(labels)('in %s', (_, values, kind) => {
    const given = rendered(values({ 'example.com/of': template }));
    const found = given.ofKind(kind).map(({ metadata }) => metadata.labels?.['example.com/of']);
    expect(found).toContain('engawa-readings');
    expect(nameProblems(given)).toEqual([]);
  });

  it.each(annotations)('in %s', (_, values, kind) => {
    const given = rendered(values({ 'example.com/of': template }));
    const found = given
      .ofKind(kind)
      .map(({ metadata }) => metadata.annotations?.['example.com/of']);
    expect(found).toContain('engawa-readings');
  });

  it('in labels and annotations of pods, also those of all workloads', () => {
    const { pods } = rendered({
      commonLabels: { common: template },
      rollup: on,
      defaults: { podLabels: { of: template }, podAnnotations: { note: `of ${template}` } },
    });
    expect(pods.length).toBeGreaterThan(5);
    for (const pod of pods) {
      expect(pod.labels).toMatchObject({ common: 'engawa-readings', of: 'engawa-readings' });
      expect(pod.annotations).toMatchObject({ note: 'of engawa-readings' });
    }
  });

  it('not in labels and annotations of alerts, whose templates are those of Prometheus', () => {
    const alertLabels = { instance: '{{ $labels.pod }}' };
    const rules = { ...monitored.rules, alertLabels };
    const [rule] = rendered({ monitoring: { rules } }).ofKind('PrometheusRule');
    expect(JSON.stringify(rule)).toContain('"instance":"{{ $labels.pod }}"');
  });
});

describeWithHelm('the chart refuses what Kubernetes refuses', () => {
  const refusedLabel = (path: string, value: string) =>
    `${path} has example.com/of: ${JSON.stringify(value)}, which Kubernetes refuses`;

  it.each(['a'.repeat(64), '-a', 'a.', 'ü'])('as the value of a label: %s', (value) => {
    const refusal = refusalOf({ commonLabels: { 'example.com/of': value } });
    expect(refusal).toContain(refusedLabel('commonLabels', value));
    expect(refusal).toContain('at most 63 characters');
  });

  it.each(labels)('as the value of a label, after the rendering, in %s', (path, values) => {
    const refusal = refusalOf(values({ 'example.com/of': 'of {{ .Release.Name }}' }));
    expect(refusal).toContain(refusedLabel(path, 'of engawa'));
  });

  it('as the value of a label of pods and in a node selector', () => {
    const podLabels = { of: 'two words' };
    expect(refusalOf({ defaults: { podLabels } })).toContain('podLabels has of: "two words"');
    expect(refusalOf({ table: { ...least.table, nodeSelector: { disk: 'very fast' } } })).toContain(
      'table.nodeSelector has disk: "very fast"',
    );
  });

  it.each(['a/b/c', 'exa_mple.com/of', 'a'.repeat(64), 'of-', ''])('as a name: %s', (name) => {
    const refusal = refusalOf({ commonLabels: { [name]: 'x' } });
    expect(refusal).toContain(`commonLabels has the name "${name}", which Kubernetes refuses`);
  });

  it.each([...labels, ...annotations])('as a name in %s', (path, values) => {
    expect(refusalOf(values({ 'two words': 'x' }))).toContain(`${path} has the name "two words"`);
  });

  it('annotations of more than 256 KiB', () => {
    const podAnnotations = { of: 'x'.repeat(262_144) };
    expect(refusalOf({ query: { podAnnotations } })).toContain(
      'query.podAnnotations has 262146 bytes',
    );
    expect(refusalOf({ query: { podAnnotations: { of: 'x'.repeat(200_000) } } })).toBe('');
  });

  it.each([
    [{ nameOverride: 'My Name' }, 'nameOverride'],
    [{ fullnameOverride: 'My Name' }, 'objects would be called My Name-query'],
  ])('as a name of objects: %j', (values, says) => {
    expect(refusalOf(values)).toContain(says);
  });

  it('and nothing else', () => {
    const given = { of: 'A_b-c.9', 'sub.example.com/of': '', empty: '' };
    for (const [, values] of labels) expect(refusalOf(values(given))).toBe('');
    for (const [, values] of annotations)
      expect(refusalOf(values({ ...given, a: 'ü ß' }))).toBe('');
  });
});
