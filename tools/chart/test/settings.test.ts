import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { chartFolder } from '../src/chart-folder.ts';
import { valuesFile } from '../src/readme.ts';
import { describeWithHelm } from './describe-with-helm.ts';
import {
  components,
  foreignVariables,
  settingNames,
  settingsOf,
  tasks,
} from './component-settings.ts';
import type { Component } from './component-settings.ts';
import { everything, least } from './values.ts';
import { Rendered, services } from './rendered.ts';
import type { Service } from './rendered.ts';

/** Tasks close within their default, which is less than Kubernetes' default grace period of 30 s. */
const ofNoValue = (component: Component): string[] =>
  tasks.includes(component) ? ['SHUTDOWN_TIMEOUT_MS', 'SHUTDOWN_DRAIN_MS'] : [];

/** A setting of replicas for readings over HTTP only (http-replicas.test.ts); the others have its default. */
const overHttpOnly = 'MQTT_SUBSCRIBE';

/** Settings whose chart value differs from the services' default: addresses and derived settings. */
const ownChoice = [
  ...['INGESTION_URL', 'REGISTRY_URL', 'QUERY_URL', 'CATALOG_URL', 'LIVE_FEED_URLS'],
  ...['INGESTION_METRICS_URL', 'REGISTRY_METRICS_URL', 'QUERY_METRICS_URL', 'CATALOG_METRICS_URL'],
  'HOST',
  'HOT_PARTITION_PEERS',
  'MQTT_URL',
  'SHUTDOWN_DRAIN_MS',
  'SHUTDOWN_TIMEOUT_MS',
  'TABLE_NAME',
];

describeWithHelm('the settings', () => {
  const elsewhere = { endpoint: 'http://alternator.example:8000', existingSecret: 'alternator' };
  const partitions = { ...everything.mqtt, group: '', connections: 1, partitions: 4 };
  const plain = { ...everything.mqtt, group: '', connections: 1 };
  const ingestion = { autoscaling: { enabled: false }, replicas: 1 };
  const all = [
    everything,
    { ...everything, aws: elsewhere },
    { ...everything, mqtt: partitions, ingestion },
    { ...everything, mqtt: plain, ingestion },
    { ...everything, auth: { mode: 'none', allowedHosts: ['homes.example'] } },
  ].map((values) => Rendered.of({ values }));

  it.each(components)('of %s can have any setting of its reference', (component) => {
    const given = new Set(all.flatMap((one) => [...one.environment(component).keys()]));
    const missing = settingNames(component).filter(
      (name) => !given.has(name) && name !== overHttpOnly,
    );
    expect(missing).toEqual(ofNoValue(component));
  });

  it.each(components)('of %s are its own defaults unless the values change them', (component) => {
    const auth = { mode: 'jwt', issuer: 'https://issuer.example', audience: 'engawa' };
    const on = { enabled: true };
    const rendered = Rendered.of({ values: { ...least, auth, rollup: on, console: on } });
    const defaults = settingsOf(component).flatMap(({ name, default: value }) => {
      const given = rendered.environment(component).get(name)?.value;
      const isOwn = value === undefined || given === undefined || ownChoice.includes(name);
      return isOwn ? [] : [{ name, given, value }];
    });
    expect(defaults.map(({ name, given }) => ({ name, given }))).toEqual(
      defaults.map(({ name, value }) => ({ name, given: value })),
    );
    expect(defaults.length).toBeGreaterThan(0);
  });

  it.each(services)('of %s are the ones in values.yaml and its schema', (service) => {
    const values = parse(valuesFile()) as Record<string, { settings?: object } | undefined>;
    const named = [values['defaults'], values[service]].flatMap((one) =>
      Object.keys(one?.settings ?? {}),
    );
    expect(named.filter((name) => !settingNames(service).includes(name))).toEqual([]);
    expect(new Set(settingsInSchema(service))).toEqual(new Set(named));
  });

  it('of the console are in its schema: its own, and some of defaults', () => {
    const { console: own, defaults } = parse(valuesFile()) as Record<string, { settings: object }>;
    const named = [defaults, own].flatMap((one) => Object.keys(one?.settings ?? {}));
    const known = named.filter((name) => settingNames('console').includes(name));
    expect(new Set(settingsInSchema('console'))).toEqual(new Set(known));
    expect(settingNames('console')).toEqual(
      expect.arrayContaining(Object.keys(own?.settings ?? { none: '' })),
    );
  });

  it('are taken from the most specific values: those of the service', () => {
    const values = {
      ...least,
      defaults: { settings: { LOG_LEVEL: 'warn', TRUSTED_PROXIES: 1 } },
      query: { settings: { LOG_LEVEL: 'debug' } },
    };
    const rendered = Rendered.of({ values });
    const valueOf = (service: Service, name: string) =>
      rendered.environment(service).get(name)?.value;
    expect(services.map((service) => valueOf(service, 'LOG_LEVEL'))).toEqual([
      'warn',
      'warn',
      'debug',
      'warn',
    ]);
    expect(valueOf('query', 'TRUSTED_PROXIES')).toBe('1');
  });

  it('accept the booleans of YAML', () => {
    const growth = [true, false, 'on', 'off'].map((SHARD_GROWTH) => {
      const values = { ...least, query: { settings: { SHARD_GROWTH } } };
      return Rendered.of({ values }).environment('query').get('SHARD_GROWTH')?.value;
    });
    expect(growth).toEqual(['on', 'off', 'on', 'off']);
  });

  it('give each release in each namespace its own group and sessions at the broker', () => {
    const releases = [
      { name: 'a' },
      { name: 'b' },
      { name: 'a', namespace: 'other' },
      { name: 'other-a', namespace: 'a' },
      { name: 'a', namespace: 'a-other' },
    ];
    const formerGroups = releases.map((release) => {
      const given = Rendered.of({ ...release, values: least }).environment('ingestion');
      // The pod's name ends with the number of the replica; replica 0 stays in the group.
      expect(given.get('MQTT_CLIENT_ID')?.value).toBe('$(POD_NAMESPACE).$(POD_NAME)');
      return given.get('MQTT_FORMER_GROUP')?.value;
    });
    expect(formerGroups).toEqual([
      'home.a-engawa',
      'home.b-engawa',
      'other.a-engawa',
      'a.other-a-engawa',
      'a-other.a-engawa',
    ]);
  });

  it('have no foreign variables, except for a short list', () => {
    const given = all.flatMap((one) =>
      components.flatMap((component) => [...one.environment(component).keys()]),
    );
    const known = new Set(components.flatMap(settingNames));
    const foreign = new Set(given.filter((name) => !known.has(name)));
    expect(foreign).toEqual(new Set([...foreignVariables, 'TZ']));
  });
});

/** The settings of a service that values.schema.json allows. */
function settingsInSchema(service: Service | 'console'): string[] {
  const schema = JSON.parse(readFileSync(join(chartFolder, 'values.schema.json'), 'utf8')) as {
    properties: Record<string, { properties: { settings?: { properties: object } } }>;
  };
  return Object.keys(schema.properties[service]?.properties.settings?.properties ?? {});
}
