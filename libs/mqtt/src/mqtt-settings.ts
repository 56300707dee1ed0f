import { bareUrl } from '@engawa/service';
import { z } from 'zod';

const file = z.string().min(1).optional();
const positive = z.coerce.number().int().positive();

/** The settings of a service that subscribes to a broker, by environment variable. */
export const mqttSettings = {
  MQTT_URL: bareUrl(
    /^(mqtts?|wss?)$/,
    'it must be a URL such as mqtt://127.0.0.1:1883 (or mqtts, ws, wss)',
  )
    .refine(
      (url) => !url.includes('@'),
      'it must not contain a user name or password: set MQTT_USERNAME and MQTT_PASSWORD',
    )
    .default('mqtt://127.0.0.1:1883')
    .describe('URL of the MQTT broker, without user name and password.'),
  MQTT_SUBSCRIBE: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'Whether to subscribe at the broker; with `off` a replica does not connect to the broker and accepts readings over HTTP only.',
    ),
  MQTT_VERSION: z.enum(['5', '3.1.1']).default('5').describe('MQTT protocol version.'),
  MQTT_CLIENT_ID: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe(
      'Client identifier. It must be the same after a restart, so that the broker keeps the session; by default engawa-ingestion-<host name>.',
    ),
  MQTT_USERNAME: z.string().min(1).optional().describe('User name for the broker.'),
  MQTT_PASSWORD: z
    .string()
    .min(1)
    .optional()
    .meta({ secret: true })
    .describe('Password for the broker.'),
  MQTT_CA_FILE: file.describe(
    "PEM file with the certificate of the authority that signed the broker's certificate.",
  ),
  MQTT_CERT_FILE: file.describe(
    'PEM file with the client certificate, for a broker that requires one.',
  ),
  MQTT_KEY_FILE: file.describe('PEM file with the private key of the client certificate.'),
  MQTT_GROUP: z
    .string()
    .regex(/^[^/+#]+$/, 'it must not contain /, + or #')
    .optional()
    .describe(
      'Group name of a shared subscription: replicas of the same group share the messages; without it each replica receives all messages. Only for brokers that keep shared subscriptions over a restart; Mosquitto does not. A replica that shuts down leaves the group, except the one whose MQTT_CLIENT_ID ends with -0: the broker queues messages for it while no replica is connected.',
    ),
  MQTT_FORMER_GROUP: z
    .string()
    .regex(/^[^/+#]+$/, 'it must not contain /, + or #')
    .optional()
    .describe(
      'Former group of this client identifier. The session leaves the former group at start; otherwise the broker would also deliver messages of the former group.',
    ),
  MQTT_PARTITIONS: positive
    .max(64)
    .default(1)
    .describe(
      'Number of persistent sessions over which replicas split the messages by topic, for brokers that lose shared subscriptions in a restart (Mosquitto). Each session receives all messages and stores those of its partition. 1 disables partitions. Cannot be combined with MQTT_GROUP. To change the number, follow the deploy guide.',
    ),
  MQTT_REPLICAS: positive
    .max(64)
    .default(1)
    .describe(
      'Number of replicas that share the partitions. The number at the end of MQTT_CLIENT_ID, from -0, is the index of this replica.',
    ),
  MQTT_CONNECTIONS: positive
    .max(64)
    .default(1)
    .describe(
      'Number of connections of one process, which share its window; more than one requires MQTT_GROUP.',
    ),
  MQTT_SELF_TEST: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'Whether to publish a test message after each subscription and wait for its delivery: it detects a broker that grants the subscription but delivers nothing. Requires the permission to publish to MQTT_SELF_TEST_TOPIC.',
    ),
  MQTT_SELF_TEST_TOPIC: z
    .string()
    .regex(/^[^+#]*engawa-self-test[^+#]*$/, 'it must contain engawa-self-test and no wildcard')
    .optional()
    .describe(
      'Topic of the test message; its level engawa-self-test gets the client identifier as suffix. By default derived from the first topic filter, such as engawa/engawa-self-test-<client identifier>/readings.',
    ),
  MQTT_SESSION_EXPIRY_SECONDS: positive
    .max(4_294_967_295)
    .default(86_400)
    .describe(
      'Seconds for which the broker keeps the session and queues messages for it while it is disconnected (MQTT 5).',
    ),
  MQTT_WINDOW: positive
    .max(65_535)
    .default(2000)
    .describe(
      'Maximum number of received messages that are not acknowledged yet; the broker then waits before it sends more.',
    ),
  MQTT_KEEPALIVE_SECONDS: positive
    .max(65_535)
    .default(30)
    .describe(
      'Seconds between pings; if the broker does not answer for one and a half times as long, the service closes the connection.',
    ),
  MQTT_MAX_PACKET_BYTES: positive
    .max(268_435_455)
    .optional()
    .describe(
      "Maximum packet size that the broker may send, in bytes (MQTT 5). The broker acknowledges a larger message to its publisher and drops it without an error, so leave this unset to rely on the broker's own limit.",
    ),
};
