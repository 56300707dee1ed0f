import { refusedMetadata } from './refused-metadata.ts';
import { least, table } from './values.ts';
import type { Refusal } from './refusal.ts';

const jwt = { mode: 'jwt', issuer: 'https://issuer.example/', audience: 'engawa' };
const url = 'mqtts://broker.example:8883';
const demo = { enabled: true };
const nothing = { table: {}, aws: {}, mqtt: {}, auth: {} };
const off = { enabled: false };
const tls = { url, tls: { enabled: true, existingSecret: 'tls' } };

/** The path in the error, and the unknown name. Versions of Helm have different messages. */
export type WrongValue = readonly [values: object, path: string, unknown?: string];

/** Wrong values, which `values.schema.json` rejects with their path. */
export const wrongValues: readonly WrongValue[] = [
  [{ ingestion: { replicas: 'many' } }, 'ingestion.replicas'],
  [{ ingestion: { replicas: -1 } }, 'ingestion.replicas'],
  [{ ingestion: { replicas: 1.5 } }, 'ingestion.replicas'],
  [{ ingestion: { replica: 2 } }, 'ingestion', 'replica'],
  [{ ingestion: { httpReplicas: 'one' } }, 'ingestion.httpReplicas'],
  [{ query: { httpReplicas: 1 } }, 'query', 'httpReplicas'],
  [{ ingest: { replicas: 2 } }, '', 'ingest'],
  [{ defaults: { enabled: false } }, 'defaults', 'enabled'],
  [{ defaults: { settings: { LOGLEVEL: 'info' } } }, 'defaults.settings', 'LOGLEVEL'],
  [{ defaults: { settings: { LOG_LEVEL: 'loud' } } }, 'defaults.settings.LOG_LEVEL'],
  [{ defaults: { settings: { RETENTION_DAYS: 3 } } }, 'defaults.settings', 'RETENTION_DAYS'],
  [{ query: { settings: { DECODERS: 'native' } } }, 'query.settings', 'DECODERS'],
  [{ query: { settings: { TABLE_NAME: 'x' } } }, 'query.settings', 'TABLE_NAME'],
  [{ query: { settings: { REQUEST_DEADLINE_MS: 'soon' } } }, 'query.settings.REQUEST_DEADLINE_MS'],
  [{ query: { settings: { REQUEST_DEADLINE_MS: 0 } } }, 'query.settings.REQUEST_DEADLINE_MS'],
  [{ ingestion: { settings: { MQTT_PASSWORD: 'x' } } }, 'ingestion.settings', 'MQTT_PASSWORD'],
  [
    { registry: { autoscaling: { unacknowledgedMessages: 5 } } },
    'registry.autoscaling',
    'unacknowledgedMessages',
  ],
  [{ query: { resources: { limit: {} } } }, 'query.resources', 'limit'],
  [{ query: { podLabels: { a: 1 } } }, 'query.podLabels.a'],
  [{ rollup: { replicas: 2 } }, 'rollup', 'replicas'],
  [{ table: { readinessProbe: {} } }, 'table', 'readinessProbe'],
  [{ table: { ttlSecondsAfterFinished: -1 } }, 'table.ttlSecondsAfterFinished'],
  [{ table: { activeDeadlineSeconds: 0 } }, 'table.activeDeadlineSeconds'],
  [{ query: { extraVolumeMounts: [{ name: 'a' }] } }, 'query.extraVolumeMounts.0'],
  [
    { query: { podDisruptionBudget: { minAvailable: 'one' } } },
    'query.podDisruptionBudget.minAvailable',
  ],
  [{ commonLabels: { a: 1 } }, 'commonLabels.a'],
  [{ image: { registry: 'https://registry.example/' } }, 'image.registry'],
  [{ query: { extraEnv: [{ value: 'x' }] } }, 'query.extraEnv.0'],
  [{ query: { extraEnv: { TZ: 'UTC' } } }, 'query.extraEnv'],
  [{ table: { name: 'a' } }, 'table.name'],
  [{ table: { name: 'readings', billing: 'free' } }, 'table.billing'],
  [{ mqtt: { url: 'broker.example:1883' } }, 'mqtt.url'],
  [{ mqtt: { url, version: 5 } }, 'mqtt.version'],
  [{ mqtt: { url, window: 0 } }, 'mqtt.window'],
  [{ mqtt: { url, window: 70_000 } }, 'mqtt.window'],
  [{ mqtt: { url, password: 'hunter2' } }, 'mqtt', 'password'],
  [{ mqtt: { url, group: 'a/b' } }, 'mqtt.group'],
  [{ mqtt: { url, existingSecret: 'My Secret' } }, 'mqtt.existingSecret'],
  [{ auth: { mode: 'basic' } }, 'auth.mode'],
  [{ auth: { ...jwt, jwksUrl: 'keys.example' } }, 'auth.jwksUrl'],
  [{ auth: { ...jwt, issuer: 'https://a:hunter2@issuer.example' } }, 'auth.issuer'],
  [{ aws: { endpoint: 'http://a:hunter2@db.example' } }, 'aws.endpoint'],
  [{ tracing: { endpoint: 'collector:4318' } }, 'tracing.endpoint'],
  [{ tracing: { endpoint: 'http://a:hunter2@collector' } }, 'tracing.endpoint'],
  [{ image: { pullPolicy: 'Sometimes' } }, 'image.pullPolicy'],
  [{ mqtt: { url, existingSecretKeys: { username: '' } } }, 'mqtt.existingSecretKeys.username'],
  [{ mqtt: { url, existingSecretKeys: { user: 'a' } } }, 'mqtt.existingSecretKeys', 'user'],
  [{ query: { service: { type: 'ExternalName' } } }, 'query.service.type'],
  [{ query: { hostAliases: [{ ip: '10.0.0.1' }] } }, 'query.hostAliases.0'],
  [{ image: { digest: 'latest' } }, 'image.digest'],
  [{ catalog: { search: { port: 0 } } }, 'catalog.search.port'],
  [{ catalog: { search: { url: 'https://search' } } }, 'catalog.search', 'url'],
  [{ console: { settings: { TABLE_NAME: 'x' } } }, 'console.settings', 'TABLE_NAME'],
  [{ console: { settings: { REQUEST_UNIT_LIMIT: 5 } } }, 'console.settings', 'REQUEST_UNIT_LIMIT'],
  [{ rollup: { enabled: 'yes' } }, 'rollup.enabled'],
  [{ rollup: { schedule: '' } }, 'rollup.schedule'],
  [{ networkPolicy: { apiClients: {} } }, 'networkPolicy.apiClients'],
  [{ monitoring: { serviceMonitor: { interval: 'often' } } }, 'monitoring.serviceMonitor.interval'],
  [{ monitoring: { serviceMonitor: { interval: '1m' } } }, 'monitoring.serviceMonitor.interval'],
  [{ demo: { dynamodb: { runAsUser: 0 } } }, 'demo.dynamodb.runAsUser'],
];

const traefik = { 'traefik.ingress.kubernetes.io/router.pathmatcher': 'PathRegexp' };

/** Invalid combinations of values: each message of `_refusals.tpl` must occur here. */
export const impossible: readonly Refusal[] = [
  [
    { ingestion: off, registry: off, query: off, catalog: off, mqtt: {} },
    'no service is enabled; set ingestion.enabled',
  ],
  [{ httpRoute: { enabled: true } }, 'httpRoute.parentRefs is empty; set it to the gateway'],
  [{ ingress: { enabled: true } }, 'ingress.annotations is empty; its paths are regular'],
  [
    { ingress: { enabled: true, annotations: traefik }, console: { enabled: true } },
    'the path matcher of Traefik, which finds an expression anywhere in a path',
  ],
  [{ fullnameOverride: '2024' }, 'objects would be called 2024-query'],
  [
    { ...nothing, demo, aws: { region: 'eu-west-1' } },
    'demo.enabled installs its own DynamoDB API',
  ],
  [
    { ...nothing, demo, aws: { endpoint: 'http://db:8000' } },
    'demo.enabled installs its own DynamoDB API',
  ],
  [{ ...nothing, demo, mqtt: { url } }, 'demo.enabled installs its own broker'],
  [{ table: {} }, 'table.name is not set; set it to'],
  [{ aws: {} }, 'aws.region is not set; set it to'],
  [
    { table: { name: 'readings', billing: 'provisioned', readUnits: 5 } },
    'table.billing is provisioned',
  ],
  [{ table: { name: 'readings', readUnits: 5 } }, 'table.readUnits and table.writeUnits are for'],
  [{ mqtt: {} }, 'mqtt.url is not set; set it to the broker'],
  [
    { mqtt: { url: 'mqtts://a:hunter2@broker.example' } },
    'mqtt.url contains a user name or password',
  ],
  [{ mqtt: { url: 'wss://broker.example/mqtt?token=hunter2' } }, 'mqtt.url contains a token'],
  [{ mqtt: { url, tls: { enabled: true } } }, 'mqtt.tls.existingSecret is empty'],
  [
    { mqtt: { url: 'mqtt://broker.example', tls: { enabled: true, existingSecret: 'tls' } } },
    'mqtt.url is mqtt://broker.example, which is not encrypted',
  ],
  [{ mqtt: { url, tls: { clientCertificate: true } } }, 'mqtt.tls.clientCertificate needs'],
  [
    { mqtt: { url, group: 'homes', partitions: 2 } },
    'mqtt.group and mqtt.partitions are alternatives',
  ],
  [{ ingestion: { autoscaling: { enabled: true } } }, 'autoscaling.enabled needs mqtt.group'],
  [
    { ingestion: { replicas: 2 } },
    'ingestion.replicas is 2, but mqtt.group and mqtt.partitions are not set',
  ],
  [
    { mqtt: { url, partitions: 2 }, ingestion: { replicas: 3 } },
    'mqtt.partitions is 2 and ingestion.replicas 3',
  ],
  [{ mqtt: { url, connections: 2 } }, 'mqtt.connections is 2, which needs mqtt.group'],
  [{ cursors: {} }, 'cursors.existingSecret is not set, and Helm has no access to the cluster'],
  [{ auth: {} }, 'auth.mode is not set; set it to jwt'],
  [{ auth: { ...jwt, audience: '' } }, 'auth.mode is jwt, so auth.issuer and auth.audience'],
  [
    { auth: { mode: 'none', clientId: 'console' } },
    'auth.clientId is set, but auth.mode is not jwt',
  ],
  [{ auth: { ...jwt, issuer: '' } }, 'auth.mode is jwt, so auth.issuer and auth.audience'],
  [
    { query: { autoscaling: { enabled: true, minReplicas: 9 } } },
    'query.autoscaling.minReplicas is 9 and maxReplicas 6',
  ],
  [
    {
      ingestion: { httpReplicas: 1, autoscaling: { enabled: true } },
      mqtt: { url, group: 'homes' },
    },
    'ingestion.httpReplicas is 1, but ingestion.autoscaling.enabled is on',
  ],
  [
    {
      mqtt: { url, group: 'homes' },
      ingestion: { autoscaling: { enabled: true, cpuPercent: 0 } },
    },
    'set ingestion.autoscaling.cpuPercent or unacknowledgedMessages',
  ],
  [
    { registry: { terminationGracePeriodSeconds: 12 } },
    'registry.terminationGracePeriodSeconds is 12, which leaves no time',
  ],
  [
    { ingestion: { extraEnv: [{ name: 'MQTT_PASSWORD', value: 'hunter2' }] } },
    'ingestion.extraEnv has MQTT_PASSWORD, which is a secret',
  ],
  [
    { defaults: { extraEnv: [{ name: 'TABLE_NAME', value: 'other' }] } },
    'extraEnv has TABLE_NAME, which the chart sets itself',
  ],
  ...refusedMetadata,
  [{ test: { extraEnv: [{ name: 'MAY_WRITE', value: 'true' }] } }, 'test.extraEnv has MAY_WRITE'],
  [
    { table: { ...table, extraEnv: [{ name: 'AWS_SESSION_TOKEN', value: 'x' }] } },
    'table.extraEnv has AWS_SESSION_TOKEN, which is a secret',
  ],
  [
    { mqtt: tls, ingestion: { extraVolumes: [{ name: 'mqtt', emptyDir: {} }] } },
    'ingestion.extraVolumes has mqtt, which is a volume of the chart',
  ],
  [
    { catalog: { extraVolumes: [{ name: 'full-text', emptyDir: {} }] } },
    'catalog.extraVolumes has full-text, which is a volume of the chart',
  ],
  [
    { mqtt: tls, defaults: { extraVolumeMounts: [{ name: 'a', mountPath: '/etc/engawa/mqtt/' }] } },
    'ingestion.extraVolumeMounts has /etc/engawa/mqtt/, where the chart mounts',
  ],
  [
    { query: { extraContainers: [{ name: 'query' }] } },
    'query has a container called query among initContainers or extraContainers',
  ],
  [
    { query: { serviceAccount: { create: false } } },
    'query.serviceAccount.create is off, but query.serviceAccount.name is empty',
  ],
  [
    { defaults: { serviceAccount: { name: 'engawa' } } },
    'the service accounts of ingestion and registry would both be called engawa',
  ],
  [
    { query: { podDisruptionBudget: { minAvailable: 1, maxUnavailable: 1 } } },
    'query.podDisruptionBudget has minAvailable and maxUnavailable',
  ],
  [
    { mqtt: { url, partitions: 2 }, ingestion: { replicas: null } },
    'mqtt.partitions needs ingestion.replicas, which is null',
  ],
  [
    { query: { autoscaling: { keda: { enabled: true } } } },
    'query.autoscaling.keda.enabled is on, but query.autoscaling.enabled is off',
  ],
  [
    {
      mqtt: { url, group: 'homes' },
      ingestion: {
        autoscaling: { enabled: true, unacknowledgedMessages: 5, keda: { enabled: true } },
      },
    },
    'ingestion.autoscaling has metrics or unacknowledgedMessages, which KEDA does not support',
  ],
  [
    { monitoring: { serviceMonitor: { enabled: true }, podMonitor: { enabled: true } } },
    'monitoring.serviceMonitor.enabled and monitoring.podMonitor.enabled are both on',
  ],
  [
    { monitoring: { serviceMonitor: { interval: '5s', scrapeTimeout: '10s' } } },
    'monitoring.serviceMonitor.scrapeTimeout is 10s, which is more than its interval (5s)',
  ],
  [
    { monitoring: { rules: { alerts: { EngawaSlow: { enabled: false } } } } },
    'monitoring.rules.alerts has EngawaSlow, but there is no such alert; known alerts: ',
  ],
  [{ enabled: false }, 'enabled is off, but the chart is rendered'],
];

/** The minimal values, overridden by these. */
export const valuesOf = ([values]: Refusal | WrongValue): object => ({ ...least, ...values });
