// Values for pods: those of `defaults` apply to every workload, those of a workload to it alone.
import type { IContainer } from 'kubernetes-models/v1/Container';
import { describeWithHelm } from './describe-with-helm.ts';
import { added, helper, least } from './values.ts';
import { Rendered, services } from './rendered.ts';
import type { PodTemplate } from './rendered.ts';

const tasks = ['table', 'rollup', 'test'] as const;
const workloads = [...services, ...tasks] as const;
type Workload = (typeof workloads)[number];
type PodValue = readonly [name: string, value: unknown, of: (pod: PodTemplate) => unknown];

const ownContainer = ({ spec, component }: PodTemplate): Partial<IContainer> =>
  spec.containers.find(({ name }) => name === component) ?? {};
const last = (list: readonly unknown[] = []) => [list.at(-1)];
const pairs = (of: object) => Object.entries(of).map(([key, value]) => [key, value] as const);
/** The labels and annotations that the values set. */
const among = (expected: object, labels: Record<string, string> = {}) =>
  Object.fromEntries(pairs(expected).map(([key]) => [key, labels[key]]));

/** A value for pods, and the corresponding part of a pod; lists are appended to the chart's. */
const podValues: readonly PodValue[] = [
  ['extraEnv', added.extraEnv, (pod) => last(ownContainer(pod).env)],
  ['envFrom', added.envFrom, (pod) => ownContainer(pod).envFrom?.slice(0, 1)],
  ['extraVolumes', added.extraVolumes, ({ spec }) => last(spec.volumes)],
  ['extraVolumeMounts', added.extraVolumeMounts, (pod) => last(ownContainer(pod).volumeMounts)],
  ['initContainers', added.initContainers, ({ spec }) => spec.initContainers],
  ['podLabels', added.podLabels, ({ labels }) => among(added.podLabels, labels)],
  ['podAnnotations', added.podAnnotations, (pod) => among(added.podAnnotations, pod.annotations)],
  [
    'annotations',
    added.annotations,
    ({ owner }) => among(added.annotations, owner.metadata.annotations),
  ],
  ['nodeSelector', { disk: 'fast' }, ({ spec }) => spec.nodeSelector],
  ['tolerations', [{ key: 'spot', operator: 'Exists' }], ({ spec }) => spec.tolerations],
  ['affinity', { nodeAffinity: {} }, ({ spec }) => spec.affinity],
  ['hostAliases', [{ ip: '10.0.0.1', hostnames: ['a.example'] }], ({ spec }) => spec.hostAliases],
  ['priorityClassName', 'important', ({ spec }) => spec.priorityClassName],
  [
    'podSecurityContext',
    { runAsUser: 7 },
    ({ spec: { securityContext } }) => ({ runAsUser: securityContext?.runAsUser }),
  ],
  [
    'securityContext',
    { runAsUser: 8 },
    (pod) => ({ runAsUser: ownContainer(pod).securityContext?.runAsUser }),
  ],
];
/** Values that a Job ignores in `defaults`, but accepts itself. */
const ownValues: readonly PodValue[] = [
  ['extraContainers', [helper('beside')], ({ spec }) => last(spec.containers)],
  ['terminationGracePeriodSeconds', 77, ({ spec }) => spec.terminationGracePeriodSeconds],
];

const rendered = (values: object) =>
  Rendered.of({ values: { ...least, rollup: { enabled: true }, ...values } });
const valuesOf = (list: readonly PodValue[]) =>
  Object.fromEntries(list.map(([name, value]) => [name, value]));
/** Values of a workload in addition to those that enable it. */
const of = (workload: Workload, values: object) => ({
  [workload]: {
    ...(workload === 'table' && least.table),
    ...(workload === 'rollup' && { enabled: true }),
    ...values,
  },
});

describeWithHelm('values for pods', () => {
  const plain = rendered({});

  describe('in defaults', () => {
    const all = rendered({ defaults: valuesOf([...podValues, ...ownValues]) });

    it.each(podValues)('%s is set in the pods of every workload', (_, value, at) => {
      expect(workloads.map((workload) => [workload, at(all.pod(workload))])).toEqual(
        workloads.map((workload) => [workload, value]),
      );
    });

    it.each(ownValues)(
      '%s is set in the pods of services, not in those of tasks',
      (_, value, at) => {
        expect(services.map((service) => at(all.pod(service)))).toEqual(services.map(() => value));
        expect(tasks.map((task) => JSON.stringify(at(all.pod(task))))).not.toContain(
          JSON.stringify(value),
        );
      },
    );
  });

  describe.each(workloads)('of %s', (workload) => {
    const own = rendered(of(workload, valuesOf([...podValues, ...ownValues])));

    it.each([...podValues, ...ownValues])('%s is set in its pods', (_, value, at) => {
      expect(at(own.pod(workload))).toEqual(value);
    });

    it('change no other pods', () => {
      const others = workloads.filter((other) => other !== workload);
      expect(others.map((other) => own.pod(other))).toEqual(
        others.map((other) => plain.pod(other)),
      );
    });
  });

  it.each(workloads)('of %s override defaults; null removes a default', (workload) => {
    const defaults = {
      nodeSelector: { disk: 'fast', zone: 'a' },
      podLabels: { team: 'homes' },
      priorityClassName: 'low',
    };
    const mine = {
      nodeSelector: { disk: 'slow', zone: null },
      podLabels: null,
      priorityClassName: 'high',
    };
    const { spec, labels } = rendered({ defaults, ...of(workload, mine) }).pod(workload);
    expect(spec.nodeSelector).toEqual({ disk: 'slow' });
    expect(spec.priorityClassName).toBe('high');
    expect(labels).not.toHaveProperty('team');
    const lists = { tolerations: [{ operator: 'Exists' }], extraEnv: added.extraEnv };
    const nothing = {
      nodeSelector: null,
      priorityClassName: null,
      tolerations: null,
      extraEnv: null,
    };
    const without = rendered({ defaults: { ...defaults, ...lists }, ...of(workload, nothing) });
    const plainPod = plain.pod(workload);
    expect({ ...without.pod(workload).spec }).toEqual(plainPod.spec);
  });

  it('leave user ids to the cluster when they are null, also for pods of a demo', () => {
    const podSecurityContext = { runAsUser: null, runAsGroup: null, fsGroup: null };
    const demo = {
      demo: { enabled: true },
      rollup: { enabled: true },
      defaults: { podSecurityContext },
    };
    for (const { pods } of [
      rendered({ defaults: { podSecurityContext } }),
      Rendered.of({ values: demo }),
    ]) {
      expect(pods.map(({ spec }) => spec.securityContext)).toEqual(
        pods.map(() => ({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })),
      );
    }
    expect(
      rendered(of('query', { podSecurityContext })).pod('query').spec.securityContext,
    ).not.toHaveProperty('runAsUser');
  });

  it("set scheduling and labels of a demo's pods, but change no containers of foreign images", () => {
    const values = valuesOf(
      [...podValues, ...ownValues].filter(([name]) => !name.endsWith('Context')),
    );
    const demo = (defaults: object) =>
      Rendered.of({ values: { demo: { enabled: true }, defaults } });
    const [placed, without] = [demo(values), demo({})];
    for (const component of ['broker', 'dynamodb', 'simulator']) {
      const pod = placed.pod(component);
      expect(pod.spec).toMatchObject({
        nodeSelector: { disk: 'fast' },
        priorityClassName: 'important',
      });
      expect(pod.labels).toMatchObject(added.podLabels);
      expect(pod.spec.containers).toEqual(without.pod(component).spec.containers);
    }
  });

  it("of envFrom come first, so that the chart's own settings override them", () => {
    const { envFrom } = ownContainer(
      rendered({ defaults: { envFrom: added.envFrom } }).pod('query'),
    );
    expect(envFrom).toEqual([...added.envFrom, { configMapRef: { name: 'engawa-query' } }]);
  });
});

describeWithHelm('commonLabels', () => {
  it('are set on every object and pod, and in no selector', () => {
    const labels = { 'example.com/cost-centre': '7', release: 'prometheus' };
    const monitoring = { serviceMonitor: { enabled: true, labels: { release: 'other' } } };
    const { objects, pods } = rendered({
      commonLabels: labels,
      monitoring,
      defaults: { autoscaling: { enabled: true } },
      mqtt: { ...least.mqtt, group: 'homes' },
    });
    const lacking = objects.filter(
      ({ metadata }) => metadata.labels?.['example.com/cost-centre'] !== '7',
    );
    expect(lacking).toEqual([]);
    expect(pods.filter((pod) => pod.labels['example.com/cost-centre'] !== '7')).toEqual([]);
    const selectors = objects.flatMap(
      (object) =>
        JSON.stringify(object).match(/"(selector|podSelector|matchLabels)":\{[^}]*\}/g) ?? [],
    );
    expect(selectors.filter((selector) => selector.includes('cost-centre'))).toEqual([]);
    expect(
      objects.find(({ kind }) => kind === 'ServiceMonitor')?.metadata.labels?.['release'],
    ).toBe('other');
  });
});
