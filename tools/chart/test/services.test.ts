import type { IService } from 'kubernetes-models/v1/Service';
import { describeWithHelm } from './describe-with-helm.ts';
import { least } from './values.ts';
import { Rendered, servers } from './rendered.ts';

type Service = IService & { kind: 'Service' };

describeWithHelm('the Service of each component', () => {
  const service = (values: object, name: string) =>
    Rendered.of({ values: { ...least, ...values } }).named<Service>('Service', name);

  it.each(servers)('has the type, labels and annotations of its values: %s', (component) => {
    const own = {
      type: 'LoadBalancer',
      labels: { 'example.com/zone': 'dmz' },
      annotations: { 'example.com/scheme': 'internal' },
    };
    const { metadata, spec } =
      service({ [component]: { enabled: true, service: own } }, `engawa-${component}`) ?? {};
    expect(spec?.type).toBe('LoadBalancer');
    expect(metadata?.labels).toMatchObject({ ...own.labels, 'engawa/scrape': 'true' });
    expect(metadata?.annotations).toEqual(own.annotations);
  });

  it('has the defaults, except the headless Service', () => {
    const values = { defaults: { service: { type: 'NodePort', labels: { a: 'b' } } } };
    expect(service(values, 'engawa-query')?.spec?.type).toBe('NodePort');
    expect(service(values, 'engawa-query-headless')?.spec?.type).toBeUndefined();
    expect(service(values, 'engawa-query-headless')?.metadata.labels).not.toHaveProperty('a');
    expect(service({}, 'engawa-query')?.spec?.type).toBe('ClusterIP');
  });
});
