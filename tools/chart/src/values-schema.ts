import * as catalog from '@engawa/catalog';
import * as ingestion from '@engawa/ingestion';
import * as query from '@engawa/query';
import * as registry from '@engawa/registry';
import { settingSchemas } from './setting-schema.ts';
import { autoscaling, replicaValues, taskValues, workloadDefinitions } from './workload-schema.ts';
import {
  anything,
  defined,
  flag,
  httpUrl,
  object,
  objects,
  secret,
  text,
  texts,
  whole,
  words,
} from './schema-parts.ts';
import { valuesWithSettings } from './structured-settings.ts';
import type { Schema } from './setting-schema.ts';

/** Seconds: the buckets of request durations (libs/http; a test in tools/reference compares them). */
const durationBounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** An objective: all would leave no error budget. */
const perCent: Schema = { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 100 };

/** values.schema.json: which values there are, and what each may be. */
export function valuesSchema(): Schema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the chart engawa',
    ...object({
      global: { ...anything, properties: { imageRegistry: text, imagePullSecrets: objects } },
      enabled: flag,
      nameOverride: text,
      fullnameOverride: text,
      commonLabels: texts,
      extraObjects: { type: 'array', items: { type: ['object', 'string'] } },
      ...imageValues(),
      ...tableValues(),
      ...brokerValues(),
      ...accessValues(),
      ...serviceValues(),
      ...surroundings(),
      ...demoValues(),
    }),
    definitions: workloadDefinitions(),
  };
}

function imageValues(): Record<string, Schema> {
  return {
    image: object({
      registry: { type: 'string', pattern: '^([^/]+(/[^/]+)*)?$' },
      repository: { type: 'string', minLength: 1 },
      tag: text,
      digest: { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' },
      pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
    }),
    imagePullSecrets: { type: 'array', items: { ...object({ name: text }), required: ['name'] } },
  };
}

function tableValues(): Record<string, Schema> {
  return {
    table: object({
      name: { type: 'string', pattern: '^([A-Za-z0-9_.-]{3,255})?$' },
      create: flag,
      billing: { enum: ['on-demand', 'provisioned'] },
      readUnits: whole(0),
      writeUnits: whole(0),
      ttlSecondsAfterFinished: whole(0),
      activeDeadlineSeconds: whole(1),
      ...taskValues(),
      serviceAccount: defined('serviceAccount'),
    }),
    aws: object({ region: text, endpoint: httpUrl, existingSecret: secret, podIdentity: flag }),
  };
}

function brokerValues(): Record<string, Schema> {
  return {
    mqtt: object({
      url: { type: 'string', pattern: '^((mqtts?|wss?)://.+)?$' },
      version: { enum: ['5', '3.1.1'] },
      group: { type: 'string', pattern: '^[^/+#]*$' },
      existingSecret: secret,
      tls: object({ enabled: flag, existingSecret: secret, clientCertificate: flag }),
      partitions: whole(1, 64),
      connections: whole(1, 64),
      window: whole(1, 65_535),
      sessionExpirySeconds: whole(1, 4_294_967_295),
      keepaliveSeconds: whole(1, 65_535),
      maxPacketBytes: { ...whole(1, 268_435_455), type: ['integer', 'string'], pattern: '^$' },
    }),
  };
}

function accessValues(): Record<string, Schema> {
  return {
    auth: object({
      mode: { enum: ['', 'jwt', 'none'] },
      issuer: httpUrl,
      audience: text,
      jwksUrl: httpUrl,
      algorithms: text,
      tokenTypes: text,
      placesClaim: text,
      clockToleranceSeconds: whole(0, 300),
    }),
    cursors: object({ existingSecret: secret }),
    tracing: object({
      endpoint: httpUrl,
      tracesEndpoint: httpUrl,
      sampler: text,
      samplerArgument: { type: 'string', pattern: '^(0(\\.\\d+)?|1(\\.0+)?)?$' },
      resourceAttributes: text,
    }),
    listenAddress: { enum: ['0.0.0.0', '::'] },
  };
}

/** `defaults` takes what every service takes; a service also its own settings. */
function serviceValues(): Record<string, Schema> {
  const settingsOf = { ingestion, registry, query, catalog };
  const own = Object.entries(settingsOf).map(([name, { settings }]) => {
    const all = Object.entries(settingSchemas(settings));
    return [name, Object.fromEntries(all.filter(([key]) => !valuesWithSettings.has(key)))] as const;
  });
  const settings = Object.fromEntries(own);
  const common = Object.entries(settings['registry'] ?? {}).filter(([key]) =>
    own.every(([, mine]) => key in mine),
  );
  const search = object({ existingSecret: secret, port: whole(1, 65_535) });
  const service = (name: string, more: Record<string, Schema> = {}) =>
    object({ enabled: flag, ...replicaValues(), settings: object(settings[name] ?? {}), ...more });
  return {
    defaults: object({ ...replicaValues(), settings: object(Object.fromEntries(common)) }),
    ingestion: service('ingestion', {
      httpReplicas: { ...whole(0), type: ['integer', 'string'], pattern: '^$' },
      autoscaling: object({ ...autoscaling, unacknowledgedMessages: whole(0) }),
    }),
    registry: service('registry'),
    query: service('query'),
    catalog: service('catalog', {
      search,
      fullText: object({ maxMebibytes: whole(1, 1_048_576) }),
    }),
    rollup: object({
      enabled: flag,
      schedule: { type: 'string', minLength: 9 },
      aheadHours: whole(1, 8760),
      ...taskValues(),
      serviceAccount: defined('serviceAccount'),
    }),
  };
}

function surroundings(): Record<string, Schema> {
  return {
    networkPolicy: object({
      enabled: flag,
      apiClients: objects,
      metricsClients: objects,
      dnsPorts: { type: 'array', minItems: 1, items: whole(1, 65_535) },
      tableServers: objects,
      brokerServers: objects,
      otherServers: objects,
    }),
    httpRoute: object({
      enabled: flag,
      parentRefs: { type: 'array', items: { ...anything, required: ['name'] } },
      hostnames: words,
      labels: texts,
      annotations: texts,
    }),
    ingress: object({
      enabled: flag,
      className: text,
      hosts: words,
      tls: { type: 'array', items: object({ secretName: text, hosts: words }) },
      labels: texts,
      annotations: texts,
    }),
    monitoring: monitoring(),
  };
}

function monitoring(): Schema {
  return object({
    serviceMonitor: monitor(),
    podMonitor: monitor(),
    rules: object({
      enabled: flag,
      labels: texts,
      runbooks: httpUrl,
      alertLabels: texts,
      alerts: { type: 'object', additionalProperties: alertChanges },
    }),
    dashboards: object({
      enabled: flag,
      namespace: text,
      folder: text,
      folderAnnotation: { type: 'string', minLength: 1 },
      labels: texts,
      annotations: texts,
    }),
    slo: object({
      availability: perCent,
      latency: object({ percent: perCent, seconds: { enum: durationBounds } }),
    }),
  });
}

/** Rules look at the last minute, in which there have to be several scrapes. */
const scrapeSeconds = '([1-9]|1[0-5])s';

function monitor(): Schema {
  return object({
    enabled: flag,
    interval: { type: 'string', pattern: `^${scrapeSeconds}$` },
    scrapeTimeout: { type: 'string', pattern: `^(${scrapeSeconds})?$` },
    labels: texts,
    relabelings: objects,
    metricRelabelings: objects,
  });
}

const alertChanges = object({
  enabled: flag,
  for: { type: 'string', pattern: '^([0-9]+(ms|[smhdwy]))+$' },
  expr: { type: 'string', minLength: 1 },
  labels: texts,
  annotations: texts,
});

function demoValues(): Record<string, Schema> {
  return {
    demo: object({
      enabled: flag,
      broker: object({ image: text }),
      dynamodb: object({ image: text, command: words, args: words, runAsUser: whole(1) }),
      simulator: object({ enabled: flag, days: whole(0, 3650) }),
    }),
    test: object({ write: flag, ...taskValues() }),
  };
}
