import type { IStatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import type { IServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { describeWithHelm } from './describe-with-helm.ts';
import { least, mqtt } from './values.ts';
import { Rendered, services } from './rendered.ts';

interface ScaledObject {
  kind: 'ScaledObject';
  metadata: { annotations?: object };
  spec: object;
}

const rendered = (values: object) =>
  Rendered.of({ values: { ...least, mqtt: { ...mqtt, group: 'homes' }, ...values } });
const replicasOf = (all: Rendered) =>
  services.map((service) => (all.pod(service).owner as IStatefulSet).spec?.replicas);

describeWithHelm('the replicas of services', () => {
  it('are taken from the values', () => {
    expect(replicasOf(rendered({ defaults: { replicas: 2 }, query: { replicas: 0 } }))).toEqual([
      2, 2, 0, 2,
    ]);
  });

  it('are not set when they are null or managed by an autoscaler', () => {
    const nobody = services.map(() => undefined);
    expect(replicasOf(rendered({ defaults: { replicas: null } }))).toEqual(nobody);
    expect(replicasOf(rendered({ query: { replicas: null } }))).toEqual([1, 1, undefined, 1]);
    expect(replicasOf(rendered({ defaults: { autoscaling: { enabled: true } } }))).toEqual(nobody);
    const keda = { enabled: true };
    expect(replicasOf(rendered({ defaults: { autoscaling: { enabled: true, keda } } }))).toEqual(
      nobody,
    );
  });

  it('are expected by the rules when they are null, and not when they are 0', () => {
    const monitoring = { rules: { enabled: true } };
    const all = rendered({ monitoring, registry: { replicas: null }, query: { replicas: 0 } });
    const [rule] = all.objects.filter(({ kind }) => kind === 'PrometheusRule');
    const wanted = JSON.stringify(rule).match(/"component":"\w+"/g);
    expect(wanted).toEqual(expect.arrayContaining(['"component":"registry"']));
    expect(wanted).not.toContain('"component":"query"');
  });

  it('are replaced after the new one is ready, also with a single replica', () => {
    for (const service of ['registry', 'query', 'catalog']) {
      const { spec } = rendered({}).pod(service).owner as { spec?: { strategy?: object } };
      expect(spec?.strategy).toEqual({
        type: 'RollingUpdate',
        rollingUpdate: { maxUnavailable: 0, maxSurge: 1 },
      });
    }
  });

  it('have a startup limit of five minutes', () => {
    const { periodSeconds = 0, failureThreshold = 0 } =
      rendered({}).container('query').startupProbe ?? {};
    expect(periodSeconds * failureThreshold).toBe(300);
  });
});

describeWithHelm('autoscalers', () => {
  const memory = {
    type: 'Resource',
    resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 80 } },
  };
  const behavior = { scaleDown: { stabilizationWindowSeconds: 600 } };

  it('take metrics and behavior from the values', () => {
    const all = rendered({
      query: { autoscaling: { enabled: true, cpuPercent: 50, metrics: [memory], behavior } },
    });
    const scalers = all.ofKind<IHorizontalPodAutoscaler & { kind: 'HorizontalPodAutoscaler' }>(
      'HorizontalPodAutoscaler',
    );
    expect(scalers.map(({ spec }) => spec)).toEqual([
      {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'engawa-query' },
        minReplicas: 2,
        maxReplicas: 6,
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
          },
          memory,
        ],
        behavior,
      },
    ]);
  });

  it('are ScaledObjects when KEDA is enabled', () => {
    const trigger = {
      type: 'prometheus',
      metadata: { serverAddress: 'http://prometheus', query: 'x', threshold: '100' },
    };
    const target = { envSourceContainerName: 'ingestion' };
    const keda = {
      enabled: true,
      triggers: [trigger],
      annotations: { a: 'b' },
      spec: { pollingInterval: 15, minReplicaCount: 0, scaleTargetRef: target },
    };
    const all = rendered({ ingestion: { autoscaling: { enabled: true, keda, behavior } } });
    expect(all.objects.filter(({ kind }) => kind === 'HorizontalPodAutoscaler')).toEqual([]);
    const [scaled, ...more] = all.ofKind<ScaledObject>('ScaledObject');
    expect(more).toEqual([]);
    expect(scaled).toMatchObject({
      apiVersion: 'keda.sh/v1alpha1',
      metadata: { name: 'engawa-ingestion', annotations: { a: 'b' } },
    });
    expect(scaled?.spec).toEqual({
      scaleTargetRef: {
        apiVersion: 'apps/v1',
        kind: 'StatefulSet',
        name: 'engawa-ingestion',
        ...target,
      },
      minReplicaCount: 0,
      maxReplicaCount: 6,
      pollingInterval: 15,
      advanced: { horizontalPodAutoscalerConfig: { behavior } },
      triggers: [{ type: 'cpu', metricType: 'Utilization', metadata: { value: '70' } }, trigger],
    });
  });
});

describeWithHelm('disruption budgets', () => {
  const budgetOf = (podDisruptionBudget: object) =>
    rendered({ query: { podDisruptionBudget } })
      .ofKind<IPodDisruptionBudget & { kind: 'PodDisruptionBudget' }>('PodDisruptionBudget')
      .find(({ metadata }) => metadata.name === 'engawa-query')?.spec;

  it.each([
    [{}, { maxUnavailable: 1 }],
    [{ maxUnavailable: 0 }, { maxUnavailable: 0 }],
    [{ maxUnavailable: '30%' }, { maxUnavailable: '30%' }],
    [{ minAvailable: 2 }, { minAvailable: 2 }],
    [
      { minAvailable: '50%', unhealthyPodEvictionPolicy: 'AlwaysAllow' },
      { minAvailable: '50%', unhealthyPodEvictionPolicy: 'AlwaysAllow' },
    ],
  ])('of %j are %j', (values, expected) => {
    const { selector, ...spec } = budgetOf(values) ?? {};
    expect(selector).toBeDefined();
    expect(spec).toEqual(expected);
  });

  it('are not rendered when they are disabled', () => {
    expect(budgetOf({ enabled: false })).toBeUndefined();
  });
});

describeWithHelm('probes and hooks', () => {
  const container = (query: object) => rendered({ query }).container('query');

  it('are taken from the values key by key; null removes a key', () => {
    const own = container({ readinessProbe: { periodSeconds: 7 }, livenessProbe: null });
    expect(own.readinessProbe).toEqual({ ...container({}).readinessProbe, periodSeconds: 7 });
    expect(own.livenessProbe).toBeUndefined();
    expect(
      rendered({ query: { livenessProbe: null } }).container('catalog').livenessProbe,
    ).toBeDefined();
  });

  it('have only the hooks of the values', () => {
    const lifecycle = { preStop: { exec: { command: ['drain'] } } };
    expect(container({ lifecycle }).lifecycle).toEqual(lifecycle);
    expect(container({}).lifecycle).toBeUndefined();
  });

  it('take the drain time from the values, and may close for the rest of the grace period', () => {
    const environment = rendered({
      query: { drainSeconds: 9, terminationGracePeriodSeconds: 60 },
    }).environment('query');
    expect(environment.get('SHUTDOWN_DRAIN_MS')?.value).toBe('9000');
    expect(environment.get('SHUTDOWN_TIMEOUT_MS')?.value).toBe('46000');
  });
});

describeWithHelm('service accounts', () => {
  const accountsOf = (all: Rendered) =>
    all
      .ofKind<IServiceAccount & { kind: 'ServiceAccount' }>('ServiceAccount')
      .map(({ metadata }) => metadata.name);

  it('have the names of the values, and are used by the pods', () => {
    const all = rendered({
      rollup: { enabled: true, serviceAccount: { name: 'rolls' } },
      table: { ...least.table, serviceAccount: { name: 'makes' } },
      query: { serviceAccount: { name: 'reads', annotations: { a: 'b' } } },
    });
    expect(accountsOf(all).sort()).toEqual([
      'engawa-catalog',
      'engawa-ingestion',
      'engawa-registry',
      'makes',
      'reads',
      'rolls',
    ]);
    expect(['query', 'table', 'rollup'].map((one) => all.pod(one).spec.serviceAccountName)).toEqual(
      ['reads', 'makes', 'rolls'],
    );
  });

  it('are not rendered when existing ones are named, for services and the table Job', () => {
    const serviceAccount = { create: false, name: 'there' };
    const all = rendered({
      defaults: { serviceAccount },
      table: { ...least.table, serviceAccount },
    });
    expect(accountsOf(all)).toEqual([]);
    expect([...services, 'table'].map((one) => all.pod(one).spec.serviceAccountName)).toEqual(
      Array(5).fill('there'),
    );
  });
});
