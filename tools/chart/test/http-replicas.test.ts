// Replicas of ingestion for readings over HTTP only: when they are rendered, and what they share
// with the StatefulSet.
import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import type { IService } from 'kubernetes-models/v1/Service';
import type { IStatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import { describeWithHelm } from './describe-with-helm.ts';
import { Rendered } from './rendered.ts';
import { least, monitored, mqtt } from './values.ts';

const name = 'engawa-ingestion-http';
const rendered = (values: object) => Rendered.of({ values: { ...least, ...values } });
const deployment = (values: object) => rendered(values).named<IDeployment>('Deployment', name);
const group = { mqtt: { ...mqtt, group: 'homes' } };

describeWithHelm('replicas for readings over HTTP only', () => {
  it.each([
    ['1 beside a single replica', {}, 1],
    ['the number of the values', { ingestion: { httpReplicas: 3 } }, 3],
    ['none when the values have 0', { ingestion: { httpReplicas: 0 } }, undefined],
    ['none beside several replicas', { ...group, ingestion: { replicas: 2 } }, undefined],
    ['none beside none', { ingestion: { replicas: 0 } }, undefined],
    [
      'none when replicas are scaled manually',
      { ...group, ingestion: { replicas: null } },
      undefined,
    ],
    [
      'none beside an autoscaler',
      { ...group, ingestion: { autoscaling: { enabled: true } } },
      undefined,
    ],
    ['none without ingestion', { mqtt: {}, ingestion: { enabled: false } }, undefined],
  ])('are %s', (_, values: object, count?: number) => {
    expect(deployment(values)?.spec?.replicas).toBe(count);
  });

  it('start before the pods they replace end, and have no connection to the broker', () => {
    const broker = {
      ...mqtt,
      existingSecret: 'broker',
      tls: { enabled: true, existingSecret: 'tls' },
    };
    const { spec } = deployment({ mqtt: broker }) ?? {};
    expect(spec?.strategy?.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    const [container] = spec?.template.spec?.containers ?? [];
    expect(container?.env).toContainEqual({ name: 'MQTT_SUBSCRIBE', value: 'off' });
    expect(JSON.stringify(spec)).not.toMatch(/MQTT_PASSWORD|"tls"/);
  });

  it('share Service, disruption budget and network policies with the StatefulSet, but not its selector', () => {
    const all = rendered({});
    const labels =
      all.named<IDeployment>('Deployment', name)?.spec?.template.metadata?.labels ?? {};
    const own = all.named<IStatefulSet>('StatefulSet', 'engawa-ingestion')?.spec?.template.metadata;
    const selectors = [
      all.named<IService>('Service', 'engawa-ingestion')?.spec?.selector,
      all.named<IService>('Service', 'engawa-ingestion-headless')?.spec?.selector,
      all.named<IPodDisruptionBudget>('PodDisruptionBudget', 'engawa-ingestion')?.spec?.selector
        ?.matchLabels,
    ];
    for (const selector of selectors) expect(labels).toMatchObject(selector ?? { none: true });
    const { matchLabels = {} } = all.named<IDeployment>('Deployment', name)?.spec?.selector ?? {};
    expect(labels).toMatchObject(matchLabels);
    expect(own?.labels).not.toMatchObject(matchLabels);
  });

  it('set MQTT_SUBSCRIBE, which subscribing pods do not', () => {
    expect([...rendered({}).environment('ingestion').keys()]).not.toContain('MQTT_SUBSCRIBE');
  });

  it.each([
    ['count as wanted replicas beside it', {}, '(max(', ') + 1'],
    ['count nothing when there are none', { ingestion: { httpReplicas: 0 } }, 'max(', 'vector(1)'],
  ])('%s', (_, values, start, end) => {
    const [rules] = rendered({ ...values, monitoring: monitored }).ofKind('PrometheusRule');
    const groups = (rules as unknown as { spec: { groups: RuleGroup[] } }).spec.groups;
    const wanted = groups
      .flatMap((one) => one.rules)
      .find(
        ({ record, labels }) =>
          record === 'component:engawa:wanted_replicas' && labels?.['component'] === 'ingestion',
      );
    expect(wanted?.expr.startsWith(start)).toBe(true);
    expect(wanted?.expr.endsWith(end)).toBe(true);
  });
});

interface RuleGroup {
  rules: { record?: string; expr: string; labels?: Record<string, string> }[];
}
