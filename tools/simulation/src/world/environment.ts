import { partitions } from './scale.ts';
import type { Random } from '../kernel/index.ts';
import type { ServiceName } from './load-services.ts';
import type { Scale, Sharing } from './scale.ts';

/** TCP ports of table and broker. */
export const ports = { table: 8000, broker: 1883 } as const;

export const tableName = 'engawa';

type Environment = (service: ServiceName, ordinal: number) => Record<string, string>;

/** Draws limits, in some worlds so small that pages end early, and keys get shards under light load. */
function drawLimits(random: Random): Record<string, string> {
  return {
    REQUEST_UNIT_LIMIT: random.pick(['4000', '4000', '20', '2']),
    PARTITION_WRITE_LIMIT: random.pick(['1000', '1000', '0.3', '0.1']),
    PARTITION_READ_LIMIT: random.pick(['3000', '3000', '5']),
  };
}

/** Draws settings that an operator may choose. Replicas of a service differ only in their names. */
export function drawEnvironment(
  random: Random,
  { replicas, sharing, mqtt, climateDays }: Scale,
): Environment {
  const common = {
    HOST: '127.0.0.1',
    TABLE_NAME: tableName,
    DYNAMODB_ENDPOINT: `http://127.0.0.1:${ports.table}`,
    CURSOR_SECRET: 'the same on all replicas of this world',
    RATE_LIMIT_PER_MINUTE: '0',
    SHUTDOWN_TIMEOUT_MS: '25000',
    LOG_LEVEL: 'info',
    // Background refreshes are rare, so that most events are caused by requests.
    PURGE_REFRESH_MS: '60000',
    TASK_REFRESH_MS: '30000',
    TYPE_REFRESH_MS: random.pick(['1000', '5000', '5000', '5000']),
    FULL_TEXT_REFRESH_MS: '60000',
    ...drawLimits(random),
  };
  const shared: Readonly<Record<Sharing, Record<string, string>>> = {
    alone: {},
    group: { MQTT_GROUP: 'engawa' },
    partitions: {
      MQTT_PARTITIONS: String(partitions),
      MQTT_REPLICAS: String(replicas.ingestion),
    },
  };
  const ingestion = {
    MQTT_URL: `mqtt://127.0.0.1:${ports.broker}`,
    MQTT_VERSION: mqtt.version,
    MQTT_WINDOW: String(mqtt.window),
    LINGER_MS: random.pick(['0', '1000,contact=0,button=0']),
    RETENTION_DAYS: `0,climate=${climateDays}`,
    MQTT_SESSION_EXPIRY_SECONDS: String(30 * 86_400),
    ...shared[sharing],
  };
  return (service, ordinal) => ({
    ...common,
    ...(service === 'ingestion' && { ...ingestion, MQTT_CLIENT_ID: `ingestion-${ordinal}` }),
  });
}
