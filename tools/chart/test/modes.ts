import { aws, everything, least, monitored, mqtt, role, table } from './values.ts';
import type { ReleaseArguments } from '../src/helm.ts';

const without = (service: string): ReleaseArguments => ({
  values: { ...least, [service]: { enabled: false } },
});

/** Sets of values that must all work. */
export const modes: Readonly<Record<string, ReleaseArguments>> = {
  'AWS, roles by annotation': {
    values: {
      ...least,
      table: { ...table, serviceAccount: role('table') },
      defaults: { serviceAccount: role('engawa') },
    },
  },
  'AWS, keys in a Secret': { values: { ...least, aws: { ...aws, existingSecret: 'aws' } } },
  'AWS, EKS Pod Identity': { values: { ...least, aws: { ...aws, podIdentity: true } } },
  'a demo': { values: { demo: { enabled: true } } },
  'a demo without simulator, table Job and policies': {
    values: {
      demo: { enabled: true, simulator: { enabled: false } },
      table: { create: false },
      networkPolicy: { enabled: false },
    },
  },
  'a demo with all that goes with it': {
    values: {
      demo: { enabled: true },
      mqtt: { partitions: 2 },
      rollup: { enabled: true },
      monitoring: monitored,
      defaults: { replicas: 2 },
    },
  },
  'a console': { values: { ...least, console: { enabled: true } } },
  'a console of a demo': { values: { demo: { enabled: true }, console: { enabled: true } } },
  'a console without ingestion': {
    values: { ...least, mqtt: {}, ingestion: { enabled: false }, console: { enabled: true } },
  },
  'without ingestion': { values: { ...least, mqtt: {}, ingestion: { enabled: false } } },
  'without registry': without('registry'),
  'without query': without('query'),
  'without catalog': without('catalog'),
  'autoscaled by CPU': {
    values: {
      ...least,
      mqtt: { ...mqtt, group: 'homes' },
      defaults: { autoscaling: { enabled: true } },
    },
  },
  'autoscaled by messages': {
    values: {
      ...least,
      mqtt: { ...mqtt, group: 'homes' },
      ingestion: { autoscaling: { enabled: true, cpuPercent: 0, unacknowledgedMessages: 500 } },
    },
  },
  'MQTT with an authority, a certificate and a password': {
    values: {
      ...least,
      mqtt: {
        ...mqtt,
        existingSecret: 'broker',
        tls: { enabled: true, existingSecret: 'broker-tls', clientCertificate: true },
      },
    },
  },
  'MQTT 3.1.1, with an authority': {
    values: {
      ...least,
      mqtt: {
        url: 'wss://broker.example/mqtt',
        version: '3.1.1',
        tls: { enabled: true, existingSecret: 'broker-tls' },
      },
    },
  },
  'tokens, keys by discovery': {
    values: {
      ...least,
      auth: { mode: 'jwt', issuer: 'http://issuer.example:8081/', audience: 'engawa' },
    },
  },
  'several replicas': {
    values: {
      ...least,
      mqtt: { ...mqtt, group: 'homes' },
      defaults: { replicas: 2 },
      ingestion: { replicas: 3 },
    },
  },
  'several replicas at a broker that forgets groups': {
    values: { ...least, mqtt: { ...mqtt, partitions: 4 }, ingestion: { replicas: 2 } },
  },
  'a provisioned table': {
    values: { ...least, table: { ...table, billing: 'provisioned', readUnits: 5, writeUnits: 10 } },
  },
  'another DynamoDB API': {
    values: {
      ...least,
      aws: { endpoint: 'http://alternator.example:8000', existingSecret: 'alternator' },
    },
  },
  rollups: { values: { ...least, rollup: { enabled: true } } },
  monitored: { values: { ...least, monitoring: monitored } },
  traced: { values: { ...least, tracing: { endpoint: 'https://collector.example' } } },
  tracedElsewhere: {
    values: { ...least, tracing: { tracesEndpoint: 'http://collector.example:4318/traces' } },
  },
  'an OpenSearch': { values: { ...least, catalog: { search: { existingSecret: 'search' } } } },
  nameOverride: { values: { ...least, nameOverride: 'readings' } },
  fullnameOverride: { values: { ...least, fullnameOverride: 'homes', rollup: { enabled: true } } },
  'overrides that are numbers': {
    values: { ...least, nameOverride: '1', fullnameOverride: 'homes-2' },
  },
  'a release and namespace that are numbers': {
    name: '2024',
    namespace: '7',
    values: { ...everything, fullnameOverride: 'homes' },
  },
  'Secrets and a priority class whose names YAML would take for something else': {
    values: {
      ...everything,
      aws: { ...aws, existingSecret: '123' },
      mqtt: {
        ...everything.mqtt,
        existingSecret: '1e5',
        tls: { enabled: true, existingSecret: 'true' },
      },
      cursors: { existingSecret: 'null' },
      catalog: { search: { existingSecret: 'on' } },
      defaults: { priorityClassName: '0x1' },
    },
  },
  'lists and labels that are taken back': {
    values: {
      ...least,
      networkPolicy: { apiClients: null, metricsClients: null },
      monitoring: { ...monitored, dashboards: { enabled: true, labels: null } },
    },
  },
  'the longest names': {
    name: 'a-release-with-a-name-of-fifty-three-characters-12345',
    values: {
      ...everything,
      nameOverride: 'a-name-that-is-longer-than-any-name-should-be-in-a-cluster',
    },
  },
  'the longest names, in a demo': {
    name: 'a-release-with-a-name-of-fifty-three-characters-12345',
    values: { demo: { enabled: true }, rollup: { enabled: true }, monitoring: monitored },
  },
  everything: { values: everything },
};
