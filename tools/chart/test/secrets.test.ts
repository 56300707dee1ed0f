import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { describeWithHelm } from './describe-with-helm.ts';
import { least, mqtt } from './values.ts';
import { Rendered } from './rendered.ts';

const referenceTo = (key: string) => ({ secretKeyRef: { name: 'mine', key } });

/** The secret settings of each workload that the chart does not set itself. */
const secrets: [component: string, variable: string][] = [
  ['ingestion', 'MQTT_USERNAME'],
  ['ingestion', 'MQTT_PASSWORD'],
  ['catalog', 'SEARCH_URL'],
  ['console', 'PROMETHEUS_TOKEN'],
  ['console', 'PROMETHEUS_USERNAME'],
  ['console', 'PROMETHEUS_PASSWORD'],
  ['query', 'AWS_ACCESS_KEY_ID'],
  ['rollup', 'AWS_SECRET_ACCESS_KEY'],
  ['registry', 'AWS_SESSION_TOKEN'],
];

describeWithHelm('a secret setting in extraEnv', () => {
  const rendered = (component: string, variable: object) =>
    Rendered.of({ values: { ...least, [component]: { enabled: true, extraEnv: [variable] } } });

  it.each(secrets)('of %s may refer to a Secret: %s', (component, name) => {
    const variable = { name, valueFrom: referenceTo('key') };
    const { env = [] } = rendered(component, variable).container(component);
    expect(env.filter((one) => one.name === name)).toEqual([variable]);
  });

  it.each(secrets)('of %s may not be readable: %s', (component, name) => {
    const valueFrom = { configMapKeyRef: { name: 'mine', key: 'key' } };
    for (const variable of [
      { name, value: 'x' },
      { name, valueFrom },
    ]) {
      const refused = `${component}.extraEnv has ${name}, which is a secret`;
      if (name === 'PROMETHEUS_USERNAME') rendered(component, variable);
      else expect(() => rendered(component, variable)).toThrow(refused);
    }
  });

  it('may not replace the variable of an existingSecret', () => {
    const extraEnv = [{ name: 'MQTT_USERNAME', valueFrom: referenceTo('user') }];
    const values = {
      ...least,
      mqtt: { ...mqtt, existingSecret: 'broker' },
      ingestion: { extraEnv },
    };
    expect(() => Rendered.of({ values })).toThrow('MQTT_USERNAME, which the chart sets itself');
  });

  it('opens the network policy of the OpenSearch', () => {
    const { objects } = rendered('catalog', { name: 'SEARCH_URL', valueFrom: referenceTo('url') });
    const policy = new Rendered(objects).named<INetworkPolicy & { kind: 'NetworkPolicy' }>(
      'NetworkPolicy',
      'engawa-search',
    );
    expect(policy?.spec?.egress?.[0]?.ports).toEqual([{ port: 9200, protocol: 'TCP' }]);
  });
});
