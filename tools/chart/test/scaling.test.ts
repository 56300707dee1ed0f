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
  it('are those of the values', () => {
    expect(replicasOf(rendered({ defaults: { replicas: 2 }, query: { replicas: 0 } }))).toEqual([
      2, 2, 0, 2,
    ]);
  });

  it('are left to people where they are null, and to the autoscaler where there is one', () => {
    const nobody = services.map(() => undefined);
    expect(replicasOf(rendered({ defaults: { replicas: null } }))).toEqual(nobody);
    expect(replicasOf(rendered({ query: { replicas: null } }))).toEqual([1, 1, undefined, 1]);
    expect(replicasOf(rendered({ defaults: { autoscaling: { enabled: true } } }))).toEqual(nobody);
    const keda = { enabled: true };
    expect(replicasOf(rendered({ defaults: { autoscaling: { enabled: true, keda } } }))).toEqual(
      nobody,
    );
  });

  it('are missed by the rules where they are null, and not where they are 0', () => {
    const monitoring = { rules: { enabled: true } };
    const all = rendered({ monitoring, registry: { replicas: null }, query: { replicas: 0 } });
    const [rule] = all.objects.filter(({ kind }) => kind === 'PrometheusRule');
    const wanted = JSON.stringify(rule).match(/"component":"\w+"/g);
    expect(wanted).toEqual(expect.arrayContaining(['"component":"registry"']));
    expect(wanted).not.toContain('"component":"query"');
  });

  it('are replaced by new ones first, also where there is one only', () => {
    for (const service of ['registry', 'query', 'catalog']) {
      const { spec } = rendered({}).pod(service).owner as { spec?: { strategy?: object } };
      expect(spec?.strategy).toEqual({
        type: 'RollingUpdate',
        rollingUpdate: { maxUnavailable: 0, maxSurge: 1 },
      });
    }
  });

  it('have five minutes to start', () => {
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

  it('have the metrics and the behavior of the values', () => {
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

  it('are ScaledObjects where KEDA is to do it', () => {
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

  it('are not there where they are off', () => {
    expect(budgetOf({ enabled: false })).toBeUndefined();
  });
});

describeWithHelm('probes and hooks', () => {
  const container = (query: object) => rendered({ query }).container('query');

  it('are those of the values, key by key, and null leaves one out', () => {
    const own = container({ readinessProbe: { periodSeconds: 7 }, livenessProbe: null });
    expect(own.readinessProbe).toEqual({ ...container({}).readinessProbe, periodSeconds: 7 });
    expect(own.livenessProbe).toBeUndefined();
    expect(
      rendered({ query: { livenessProbe: null } }).container('catalog').livenessProbe,
    ).toBeDefined();
  });

  it('have the hooks of the values, and no others', () => {
    const lifecycle = { preStop: { exec: { command: ['drain'] } } };
    expect(container({ lifecycle }).lifecycle).toEqual(lifecycle);
    expect(container({}).lifecycle).toBeUndefined();
  });

  it('drain for as long as the values say, and may close for the rest of their time', () => {
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

  it('have the names of the values, and pods use them', () => {
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

  it('are not made where they are there, of services and of the table', () => {
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
