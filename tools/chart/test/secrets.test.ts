import type { IConfigMap } from 'kubernetes-models/v1/ConfigMap';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { describeWithHelm } from './describe-with-helm.ts';
import { least, mqtt, table } from './values.ts';
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

describeWithHelm('the keys of an existing Secret', () => {
  const values = {
    ...least,
    table,
    aws: {
      region: 'eu-west-1',
      existingSecret: 'aws',
      existingSecretKeys: { accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: 'session' },
    },
    mqtt: {
      ...mqtt,
      existingSecret: 'broker',
      existingSecretKeys: { username: 'user', password: 'pass.word' },
      tls: {
        enabled: true,
        clientCertificate: true,
        existingSecret: 'tls',
        existingSecretKeys: { authority: 'root.pem', certificate: 'client.pem', key: 'client.key' },
      },
    },
    cursors: { existingSecret: 'cursors', existingSecretKeys: { secret: 'cursor-key' } },
    catalog: { search: { existingSecret: 'search', existingSecretKeys: { url: 'address' } } },
    console: {
      enabled: true,
      prometheus: {
        existingSecret: 'prometheus',
        existingSecretKeys: { token: 'bearer', username: 'login', password: 'pass' },
      },
    },
  };

  it.each([
    ['query', 'AWS_ACCESS_KEY_ID', 'aws', 'id'],
    ['query', 'AWS_SECRET_ACCESS_KEY', 'aws', 'secret'],
    ['table', 'AWS_SESSION_TOKEN', 'aws', 'session'],
    ['ingestion', 'MQTT_USERNAME', 'broker', 'user'],
    ['ingestion', 'MQTT_PASSWORD', 'broker', 'pass.word'],
    ['registry', 'CURSOR_SECRET', 'cursors', 'cursor-key'],
    ['catalog', 'SEARCH_URL', 'search', 'address'],
    ['console', 'PROMETHEUS_TOKEN', 'prometheus', 'bearer'],
    ['console', 'PROMETHEUS_USERNAME', 'prometheus', 'login'],
    ['console', 'PROMETHEUS_PASSWORD', 'prometheus', 'pass'],
  ])('are values: %s reads %s from %s', (component, variable, name, key) => {
    const { valueFrom } = Rendered.of({ values }).environment(component).get(variable) ?? {};
    expect(valueFrom?.secretKeyRef).toMatchObject({ name, key });
  });

  it('are the names of the files of a certificate', () => {
    const settings = Rendered.of({ values }).named<IConfigMap & { kind: 'ConfigMap' }>(
      'ConfigMap',
      'engawa-ingestion',
    );
    expect(settings?.data).toMatchObject({
      MQTT_CA_FILE: '/etc/engawa/mqtt/root.pem',
      MQTT_CERT_FILE: '/etc/engawa/mqtt/client.pem',
      MQTT_KEY_FILE: '/etc/engawa/mqtt/client.key',
    });
  });

  it('do not apply to the Secret of the chart', () => {
    const cursors = { existingSecretKeys: { secret: 'cursor-key' } };
    const rendered = Rendered.of({ values: { demo: { enabled: true }, cursors } });
    const { valueFrom } = rendered.environment('query').get('CURSOR_SECRET') ?? {};
    expect(valueFrom?.secretKeyRef?.key).toBe('CURSOR_SECRET');
  });
});
