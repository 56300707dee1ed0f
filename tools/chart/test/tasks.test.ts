import type { IJob } from 'kubernetes-models/batch/v1/Job';
import { describeWithHelm } from './describe-with-helm.ts';
import { least, table } from './values.ts';
import { Rendered } from './rendered.ts';

const tasks = ['table', 'rollup', 'test'] as const;
const resources = { requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '2Gi' } };

describeWithHelm('tasks', () => {
  const rendered = (values: object) =>
    Rendered.of({ values: { ...least, rollup: { enabled: true }, ...values } });

  it('keep one pod per attempt, so that its log can be read', () => {
    const { pods } = rendered({});
    const ofTasks = pods.filter(({ component }) => tasks.some((task) => task === component));
    expect(ofTasks.map(({ spec }) => spec.restartPolicy)).toEqual(tasks.map(() => 'Never'));
  });

  it.each([
    ['as a hook', { ...least }],
    ['of a demo', { demo: { enabled: true } }],
  ])('that create the table are deleted after some time, %s', (_, values) => {
    const jobOf = (more: object) =>
      Rendered.of({ values: { ...values, ...more } }).pod('table').owner as IJob;
    expect(jobOf({}).spec?.ttlSecondsAfterFinished).toBe(86_400);
    expect(jobOf({}).spec?.activeDeadlineSeconds).toBe(3600);
    const name = 'demo' in values ? {} : table;
    expect(
      jobOf({ table: { ...name, ttlSecondsAfterFinished: 60 } }).spec?.ttlSecondsAfterFinished,
    ).toBe(60);
  });

  it('take resources from their own values, not from those of services', () => {
    const plain = rendered({});
    const all = rendered({ defaults: { resources } });
    for (const task of tasks) {
      expect(all.container(task).resources).toEqual(plain.container(task).resources);
    }
    const own = rendered({
      table: { ...table, resources },
      rollup: { enabled: true, resources },
      test: { resources },
    });
    expect(tasks.map((task) => own.container(task).resources)).toEqual(tasks.map(() => resources));
  });

  it('have service accounts with the annotations of their own values only', () => {
    const annotations = (role: string) => ({ serviceAccount: { annotations: { role } } });
    const all = rendered({
      defaults: annotations('services'),
      table: { ...table, ...annotations('table') },
      rollup: { enabled: true, ...annotations('rollup') },
    });
    const roleOf = (name: string) =>
      all.named('ServiceAccount', name)?.metadata.annotations?.['role'];
    expect(['query', 'table', 'rollup'].map((name) => roleOf(`engawa-${name}`))).toEqual([
      'services',
      'table',
      'rollup',
    ]);
    expect(
      rendered({ defaults: annotations('services') }).named('ServiceAccount', 'engawa-rollup')
        ?.metadata,
    ).not.toHaveProperty('annotations');
  });
});
