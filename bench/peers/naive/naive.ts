// The first version that most people write: mqtt.js, one PutCommand per reading, and acknowledgements left to mqtt.js,
// which acknowledges a message when the handler returns, before its readings are stored.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { connect } from 'mqtt';

type Reading = Record<string, string | number>;

const { MQTT_URL = '', MQTT_CLIENT_ID = '', DYNAMODB_ENDPOINT = '', TABLE_NAME = '' } = process.env;
const table = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: DYNAMODB_ENDPOINT }));
const client = connect(MQTT_URL, { clientId: MQTT_CLIENT_ID, clean: false });

async function store(topic: string, payload: Buffer): Promise<void> {
  const device = topic.split('/')[1];
  const message = JSON.parse(payload.toString()) as Reading | Reading[];
  for (const reading of Array.isArray(message) ? message : [message]) {
    await table.send(new PutCommand({ TableName: TABLE_NAME, Item: { device, ...reading } }));
  }
}

client.on('connect', () => {
  client.subscribe('engawa/+/readings', { qos: 1 });
});
client.on('message', (topic, payload) => {
  store(topic, payload).catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
});
client.on('error', (error) => process.stderr.write(`${error.message}\n`));
