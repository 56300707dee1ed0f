/**
 * The settings with their own chart value, or set by the chart itself (templates/_settings.tpl).
 * All others are set by their name, under `settings` of a service.
 */
export const valuesWithSettings: ReadonlySet<string> = new Set([
  ...[
    'HOST',
    'PORT',
    'METRICS_PORT',
    'SHUTDOWN_DRAIN_MS',
    'SHUTDOWN_TIMEOUT_MS',
    'HOT_PARTITION_PEERS',
  ],
  ...['CURSOR_SECRET', 'SEARCH_URL', 'FULL_TEXT_FOLDER', 'FULL_TEXT_MAX_BYTES'],
  ...[
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    'OTEL_RESOURCE_ATTRIBUTES',
  ],
  ...['OTEL_TRACES_SAMPLER', 'OTEL_TRACES_SAMPLER_ARG'],
  ...['TABLE_NAME', 'AWS_REGION', 'DYNAMODB_ENDPOINT'],
  ...['AUTH_MODE', 'AUTH_ISSUER', 'AUTH_AUDIENCE', 'AUTH_JWKS_URL', 'AUTH_ALGORITHMS'],
  ...['AUTH_TOKEN_TYPES', 'AUTH_PLACES_CLAIM', 'AUTH_CLIENT_ID'],
  ...['INGESTION_URL', 'REGISTRY_URL', 'QUERY_URL', 'CATALOG_URL', 'LIVE_FEED_URLS'],
  ...['AUTH_CLOCK_TOLERANCE_S', 'MQTT_URL', 'MQTT_VERSION', 'MQTT_CLIENT_ID', 'MQTT_USERNAME'],
  ...['MQTT_SUBSCRIBE'],
  ...[
    'MQTT_PASSWORD',
    'MQTT_CA_FILE',
    'MQTT_CERT_FILE',
    'MQTT_KEY_FILE',
    'MQTT_GROUP',
    'MQTT_FORMER_GROUP',
    'MQTT_PARTITIONS',
    'MQTT_REPLICAS',
  ],
  ...['MQTT_CONNECTIONS', 'MQTT_SESSION_EXPIRY_SECONDS', 'MQTT_WINDOW'],
  ...['MQTT_KEEPALIVE_SECONDS', 'MQTT_MAX_PACKET_BYTES'],
]);
