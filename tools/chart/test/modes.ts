import type { Release } from '../src/helm.ts';

const table = { name: 'readings' };
const aws = { region: 'eu-west-1' };
const mqtt = { url: 'mqtts://broker.example:8883' };
const none = { mode: 'none' };
const role = (name: string) => ({
  annotations: { 'eks.amazonaws.com/role-arn': `arn:aws:iam::123456789012:role/${name}` },
});
const jwt = {
  mode: 'jwt',
  issuer: 'https://issuer.example/',
  audience: 'engawa',
  jwksUrl: 'https://keys.example:8443/jwks',
};
const address = (cidr: string) => [{ ipBlock: { cidr } }];

/** As little as makes it run on AWS. */
export const least = { table, aws, mqtt, auth: none };
export const monitored = {
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  rules: { enabled: true, runbooks: 'https://runbooks.example/engawa/' },
  dashboards: { enabled: true, annotations: { grafana_folder: 'Engawa' } },
};

/** Where all that may be called is, when the network lists say it. */
export const places = {
  table: '10.1.0.0/16',
  broker: '10.2.0.0/16',
  others: '10.3.0.0/16',
};

/** Every switch on, every list given, every setting set. */
export const everything = {
  image: { repository: 'registry.example/engawa', digest: `sha256:${'a'.repeat(64)}` },
  imagePullSecrets: [{ name: 'registry' }],
  table: {
    ...table,
    billing: 'provisioned',
    readUnits: 1_500_000,
    writeUnits: 25,
    serviceAccount: role('table'),
  },
  aws: { region: 'eu-west-1', existingSecret: 'aws', podIdentity: true },
  mqtt: {
    ...mqtt,
    group: 'homes',
    existingSecret: 'broker',
    connections: 2,
    maxPacketBytes: 2_000_000,
    tls: { enabled: true, existingSecret: 'broker-tls', clientCertificate: true },
  },
  auth: jwt,
  cursors: { existingSecret: 'cursors' },
  tracing: { endpoint: 'http://collector.observability:4318' },
  defaults: {
    replicas: 3,
    autoscaling: { enabled: true },
    nodeOptions: '--max-old-space-size=100',
    extraEnv: [{ name: 'TZ', value: 'Asia/Tokyo' }],
    podLabels: { team: 'homes' },
    podAnnotations: { 'example.com/note': '1' },
    nodeSelector: { 'kubernetes.io/arch': 'arm64' },
    tolerations: [{ key: 'spot', operator: 'Exists', effect: 'NoSchedule' }],
    affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
    priorityClassName: 'important',
    serviceAccount: role('engawa'),
    service: { annotations: { 'example.com/scheme': 'internal' } },
    settings: {
      LOG_LEVEL: 'warn',
      DYNAMODB_TIMEOUT_MS: 2000,
      DYNAMODB_CONSUMED_CAPACITY: 'total',
      PARTITION_WRITE_LIMIT: 500,
      PARTITION_READ_LIMIT: 1500,
      SHARD_GROWTH: 'off',
      HOT_PARTITION_KEYS: 'hashed',
      REQUEST_DEADLINE_MS: 20_000,
      REQUEST_UNIT_LIMIT: 2_000_000,
      MAX_REQUESTS_IN_FLIGHT: 64,
      RATE_LIMIT_PER_MINUTE: 0,
      TRUSTED_PROXIES: 1,
    },
  },
  ingestion: {
    autoscaling: { unacknowledgedMessages: 1_000_000 },
    settings: {
      DECODERS: 'native,tasmota=home/+/tele',
      TASMOTA_TIME_ZONE: 'Asia/Tokyo',
      TASMOTA_MAIN_SENSORS: 'AM2301,DHT11,MS01',
      DEVICE_ADMISSION: 'pending',
      LINGER_MS: '500,contact=0',
      SPARKPLUG_REBIRTH: 'off',
      MQTT_SELF_TEST: 'off',
      MQTT_SELF_TEST_TOPIC: 'homes/engawa-self-test',
      RETENTION_DAYS: 90,
      READING_MAX_AGE_DAYS: 30,
      READING_MAX_AHEAD_HOURS: 1,
    },
  },
  registry: { serviceAccount: role('registry'), terminationGracePeriodSeconds: 90 },
  catalog: {
    search: { existingSecret: 'search', port: 9243 },
    settings: {
      TYPE_SETTLE_MS: 10_000,
      TYPE_REFRESH_MS: 500,
      FULL_TEXT_REFRESH_MS: 500,
      TASK_REFRESH_MS: 10_000,
    },
  },
  rollup: { enabled: true, aheadHours: 72, serviceAccount: role('rollup') },
  networkPolicy: {
    apiClients: [{ podSelector: { matchLabels: { app: 'web' } } }],
    metricsClients: [{ podSelector: { matchLabels: { app: 'prometheus' } } }],
    tableServers: address(places.table),
    brokerServers: address(places.broker),
    otherServers: address(places.others),
  },
  monitoring: monitored,
  test: { write: true },
};

const without = (service: string): Release => ({
  values: { ...least, [service]: { enabled: false } },
});

/** Sets of values that all have to work. */
export const modes: Readonly<Record<string, Release>> = {
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
  'without ingestion': { values: { table, aws, auth: none, ingestion: { enabled: false } } },
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
