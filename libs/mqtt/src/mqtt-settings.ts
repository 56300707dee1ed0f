import { z } from 'zod';

const file = z.string().min(1).optional();
const positive = z.coerce.number().int().positive();

/** The settings of a service that subscribes to a broker, by environment variable. */
export const mqttSettings = {
  MQTT_URL: z
    .url({
      protocol: /^(mqtts?|wss?)$/,
      error: 'it must be a URL such as mqtt://127.0.0.1:1883 (or mqtts, ws, wss)',
    })
    .refine(
      (url) => !url.includes('@'),
      'it must hold no user name or password: set MQTT_USERNAME and MQTT_PASSWORD',
    )
    .default('mqtt://127.0.0.1:1883')
    .describe('Address of the MQTT broker, without user name and password.'),
  MQTT_SUBSCRIBE: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'Whether messages are taken from the broker; `off` for a replica that takes readings over HTTP only: it does not connect to the broker.',
    ),
  MQTT_VERSION: z.enum(['5', '3.1.1']).default('5').describe('MQTT version to speak.'),
  MQTT_CLIENT_ID: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe(
      'Client identifier, the same after a restart, so that the broker keeps the session; engawa-ingestion-<host name> when absent.',
    ),
  MQTT_USERNAME: z.string().min(1).optional().describe('User name for the broker.'),
  MQTT_PASSWORD: z
    .string()
    .min(1)
    .optional()
    .meta({ secret: true })
    .describe('Password for the broker.'),
  MQTT_CA_FILE: file.describe("File with the certificate that signed the broker's (PEM)."),
  MQTT_CERT_FILE: file.describe(
    'File with our own certificate (PEM), where the broker asks for one.',
  ),
  MQTT_KEY_FILE: file.describe('File with the key of our own certificate (PEM).'),
  MQTT_GROUP: z
    .string()
    .regex(/^[^/+#]+$/, 'it must not contain /, + or #')
    .optional()
    .describe(
      'Name of the shared subscription with which replicas share the messages; each gets all without it. Only for brokers that keep shared subscriptions over a restart: Mosquitto does not. A replica that ends leaves it, except the one whose MQTT_CLIENT_ID ends with -0: the broker queues for that one, so that nothing is lost while none is there.',
    ),
  MQTT_FORMER_GROUP: z
    .string()
    .regex(/^[^/+#]+$/, 'it must not contain /, + or #')
    .optional()
    .describe(
      'Name of a shared subscription that this client identifier was a member of; the session leaves it at start, or the broker would deliver its messages, too.',
    ),
  MQTT_PARTITIONS: positive
    .max(64)
    .default(1)
    .describe(
      'Number of persistent sessions over which replicas split the messages by topic, without a shared subscription: for brokers that forget those in a restart (Mosquitto). Each session gets every message and stores its part. 1 does not split. Never with MQTT_GROUP; change it only as the deploy guide says.',
    ),
  MQTT_REPLICAS: positive
    .max(64)
    .default(1)
    .describe(
      'Number of replicas that share the partitions. The number at the end of MQTT_CLIENT_ID says which one this is, from -0.',
    ),
  MQTT_CONNECTIONS: positive
    .max(64)
    .default(1)
    .describe(
      'Connections that share the work of one process, and its window; more than one needs MQTT_GROUP.',
    ),
  MQTT_SELF_TEST: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'Whether a message is published to itself after each subscribing, to notice a broker that grants the subscription and delivers nothing; needs the permission to publish to that topic.',
    ),
  MQTT_SELF_TEST_TOPIC: z
    .string()
    .regex(/^[^+#]*engawa-self-test[^+#]*$/, 'it must have engawa-self-test in it, and no wildcard')
    .optional()
    .describe(
      'Topic of that message, with engawa-self-test where the client identifier is added; made of the first topic filter when absent, as in engawa/engawa-self-test-<client identifier>/readings.',
    ),
  MQTT_SESSION_EXPIRY_SECONDS: positive
    .max(4_294_967_295)
    .default(86_400)
    .describe(
      'How long the broker keeps the session, and queues for it, while we are away (MQTT 5).',
    ),
  MQTT_WINDOW: positive
    .max(65_535)
    .default(2000)
    .describe(
      'Messages that may be received and not yet acknowledged; the broker waits when they are that many.',
    ),
  MQTT_KEEPALIVE_SECONDS: positive
    .max(65_535)
    .default(30)
    .describe(
      'Seconds between pings; a broker that does not answer is left after one and a half of them.',
    ),
  MQTT_MAX_PACKET_BYTES: positive
    .max(268_435_455)
    .optional()
    .describe(
      "The largest packet that the broker may send (MQTT 5). The broker acknowledges larger messages to their publisher and drops them, and nobody is told: leave it absent, so that only the broker's own limit holds.",
    ),
};
