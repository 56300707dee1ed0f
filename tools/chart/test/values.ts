export const table = { name: 'readings' };
export const aws = { region: 'eu-west-1' };
export const mqtt = { url: 'mqtts://broker.example:8883' };
export const none = { mode: 'none' };
export const role = (name: string) => ({
  annotations: { 'eks.amazonaws.com/role-arn': `arn:aws:iam::123456789012:role/${name}` },
});
export const jwt = {
  mode: 'jwt',
  issuer: 'https://issuer.example/',
  audience: 'engawa',
  jwksUrl: 'https://keys.example:8443/jwks',
  tokenTypes: 'at+jwt,JWT',
  placesClaim: 'homes',
  clientId: 'engawa-console',
};
export const address = (cidr: string) => [{ ipBlock: { cidr } }];

/** Minimal values for AWS that can be rendered without a cluster. */
export const least = { table, aws, mqtt, auth: none, cursors: { existingSecret: 'cursors' } };
export const monitored = {
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  rules: { enabled: true, runbooks: 'https://runbooks.example/engawa/' },
  dashboards: { enabled: true, annotations: { grafana_folder: 'Engawa' } },
};

/** Addresses of all allowed targets, for the network lists. */
export const places = {
  table: '10.1.0.0/16',
  broker: '10.2.0.0/16',
  others: '10.3.0.0/16',
};

/** A container that satisfies the restricted Pod Security Standard. */
export const helper = (name: string) => ({
  name,
  image: 'registry.example/helper:1',
  resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { memory: '16Mi' } },
  securityContext: {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  },
  volumeMounts: [{ name: 'shared', mountPath: '/shared' }],
});

/** Additions for every pod. */
export const added = {
  extraEnv: [{ name: 'TZ', value: 'Asia/Tokyo' }],
  envFrom: [{ configMapRef: { name: 'proxies', optional: true } }],
  extraVolumes: [{ name: 'shared', emptyDir: {} }],
  extraVolumeMounts: [{ name: 'shared', mountPath: '/shared' }],
  initContainers: [helper('before')],
  podLabels: { team: 'homes' },
  podAnnotations: { 'example.com/note': '1' },
  annotations: { 'example.com/reload': 'true' },
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
  commonLabels: { 'example.com/cost-centre': '7', 'example.com/of': '{{ .Release.Name }}' },
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
  tracing: {
    endpoint: 'http://collector.observability:4318',
    tracesEndpoint: 'http://collector.observability:4318/tenants/home/traces',
    sampler: 'parentbased_traceidratio',
    samplerArgument: '0.01',
    resourceAttributes: 'deployment.environment.name=home',
  },
  defaults: {
    replicas: 3,
    autoscaling: {
      enabled: true,
      behavior: { scaleDown: { stabilizationWindowSeconds: 600 } },
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 80 } },
        },
      ],
    },
    podDisruptionBudget: { maxUnavailable: '34%', unhealthyPodEvictionPolicy: 'AlwaysAllow' },
    nodeOptions: '--max-old-space-size=100',
    ...added,
    extraContainers: [helper('beside')],
    nodeSelector: { 'kubernetes.io/arch': 'arm64' },
    tolerations: [{ key: 'spot', operator: 'Exists', effect: 'NoSchedule' }],
    affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
    priorityClassName: 'important',
    serviceAccount: role('engawa'),
    hostAliases: [{ ip: '10.0.0.1', hostnames: ['broker.example'] }],
    service: {
      type: 'LoadBalancer',
      labels: { 'example.com/zone': 'dmz' },
      annotations: { 'example.com/scheme': 'internal' },
    },
    settings: {
      LOG_LEVEL: 'warn',
      DYNAMODB_TIMEOUT_MS: 2000,
      DYNAMODB_MAX_REQUEST_BYTES: 500_000,
      DYNAMODB_CONSUMED_CAPACITY: 'total',
      PARTITION_WRITE_LIMIT: 500,
      PARTITION_READ_LIMIT: 1500,
      SHARD_GROWTH: 'off',
      HOT_PARTITION_KEYS: 'hashed',
      OTEL_SERVICE_NAME: 'homes',
      REQUEST_DEADLINE_MS: 20_000,
      REQUEST_UNIT_LIMIT: 2_000_000,
      RESPONSE_BYTE_LIMIT: 2_000_000,
      MAX_REQUESTS_IN_FLIGHT: 64,
      MIN_TRANSFER_BYTES_PER_SECOND: 1000,
      TRANSFER_GRACE_MS: 10_000,
      RATE_LIMIT_PER_MINUTE: 0,
      MAX_CONNECTION_AGE_MS: 60_000,
      TRUSTED_PROXIES: 1,
    },
  },
  ingestion: {
    autoscaling: { unacknowledgedMessages: 1_000_000 },
    mappings: {
      'tank.yaml': { mapping: 'tank', messages: [{ topic: 'tank/{id}', device: '{id}' }] },
    },
    settings: {
      DECODERS: 'native,tasmota=home/+/tele',
      TASMOTA_TIME_ZONE: 'Asia/Tokyo',
      TASMOTA_MAIN_SENSORS: 'AM2301,DHT11,MS01',
      DEVICE_ADMISSION: 'pending',
      DEVICE_IDS: 'short',
      LINGER_MS: '500,contact=0',
      MAX_LIVE_LISTENERS: 100,
      SPARKPLUG_REBIRTH: 'off',
      MQTT_SELF_TEST: 'off',
      MQTT_SELF_TEST_TOPIC: 'homes/engawa-self-test',
      RETENTION_DAYS: 90,
      READING_MAX_AGE_DAYS: 30,
      READING_MAX_AHEAD_HOURS: 1,
    },
  },
  registry: {
    serviceAccount: role('registry'),
    terminationGracePeriodSeconds: 90,
    settings: { PURGE_REFRESH_MS: 30_000, PURGE_QUIESCENCE_SECONDS: 60 },
  },
  catalog: {
    search: { existingSecret: 'search', port: 9243 },
    settings: {
      TYPE_SETTLE_MS: 10_000,
      TYPE_REFRESH_MS: 500,
      FULL_TEXT_REFRESH_MS: 500,
      FULL_TEXT_TIMEOUT_MS: 2000,
      SEARCH_INDEX_PREFIX: 'staging',
      TASK_REFRESH_MS: 10_000,
    },
  },
  console: {
    enabled: true,
    prometheusUrl: 'http://prometheus.monitoring:9090',
    prometheus: { existingSecret: 'prometheus-reader' },
    settings: {
      AUTH_SCOPES: 'openid read',
      AUTH_CLIENT_AUDIENCE: 'https://engawa.example',
      FORWARD_TIMEOUT_MS: 30_000,
      READ_UNIT_PRICE: 0.1415,
      WRITE_UNIT_PRICE: '0.705',
      PRICE_SOURCE: 'on demand, eu-west-1',
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
