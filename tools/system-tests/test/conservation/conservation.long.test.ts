import { setTimeout as sleep } from 'node:timers/promises';
import { Simulator } from '@engawa/dynamodb-simulator';
import * as ingestion from '@engawa/ingestion';
import { startService } from '@engawa/service';
import { ensureTable } from '@engawa/table';
import {
  announcedSeed,
  ListeningPorts,
  openBeforeEach,
  randomFrom,
  startRawBroker,
  startTable,
  until,
} from '@engawa/testing';
import { Account } from './account.ts';
import { MixedBroker } from './mixed-broker.ts';
import type { FaultInput } from '@engawa/dynamodb-simulator';

const operations = ['BatchWriteItem'];
/** Long enough that messages are in flight at each scrape. */
const slow: FaultInput = { operations, fault: { kind: 'slow', milliseconds: 15 } };
const throttled: FaultInput = {
  operations,
  partitionKey: 'DEVICE#throttled',
  fault: { kind: 'throttle' },
};
const hang: FaultInput = { operations, fault: { kind: 'hang' } };

async function startAll() {
  const [table, broker] = await Promise.all([startTable(ensureTable), startRawBroker()]);
  const simulator = await Simulator.start({ upstream: table.location.endpoint });
  const ports = new ListeningPorts();
  const service = await startService({
    name: 'ingestion',
    module: ingestion,
    environment: {
      ...table.environment,
      DYNAMODB_ENDPOINT: simulator.endpoint,
      DYNAMODB_TIMEOUT_MS: '500',
      PORT: '0',
      METRICS_PORT: '0',
      MQTT_URL: broker.url,
      MQTT_CLIENT_ID: 'conservation',
      MQTT_GROUP: 'engawa',
      MQTT_CONNECTIONS: '2',
      MQTT_WINDOW: '80',
      LINGER_MS: '20',
      SHUTDOWN_TIMEOUT_MS: '4000',
      RATE_LIMIT_PER_MINUTE: '0',
    },
    logDestination: ports,
  });
  const mixed = new MixedBroker(broker, randomFrom(announcedSeed('conservation')));
  await until('both subscriptions', () => mixed.live.length === 2);
  const close = async () => {
    simulator.setFaults([]);
    await service.close();
    await broker.close();
    await simulator.close();
    await table.close();
  };
  const [api, metrics] = [ports.url('PORT'), ports.url('METRICS_PORT')];
  return { simulator, service, mixed, api, account: new Account(metrics), close };
}

const all = openBeforeEach(startAll);

/** Packets that are no messages, and must not be counted; sent again like a client while the table is slow. */
async function post(path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify(body) };
  await until(`an answer of ${path}`, async () => {
    const answer = await fetch(all.api + path, request);
    const text = await answer.text();
    if (!answer.ok && answer.status !== 503) throw new Error(`${answer.status} ${text}`);
    return answer.ok;
  });
}

/** Messages of all kinds, over connections that break sometimes. */
async function sendMixture({ rounds, cutting }: { rounds: number; cutting: boolean }) {
  const { mixed } = all;
  for (let round = 1; round <= rounds; round++) {
    for (let index = 0; index < 10; index++) mixed.send();
    if (round % 10 === 0) mixed.flood(60);
    // Each attempt takes longer than the previous one: the delays grow.
    if (cutting && round % 16 === 0) await mixed.cut();
    if (round % 20 === 0) {
      await post('/v1/readings', { device: 'http', ts: new Date().toISOString(), round });
      const day = new Date().toISOString().slice(0, 10);
      await post('/v1/deadLetters/replay', { day, topic: 'engawa/poison/readings' });
    }
    await sleep(10);
  }
}

const allDone = () => until('nothing held', () => all.account.now.held === 0);

it('message counters balance at every scrape: received messages are completed or held', async () => {
  const { account, mixed, simulator } = all;
  simulator.setFaults([slow, throttled]);
  await sendMixture({ rounds: 80, cutting: true });
  const parked = () => account.sum('engawa_ingest_parked_blocks_total');
  await until('parked blocks', () => parked() > 0);
  simulator.setFaults([slow]);
  await until(
    'no parked block',
    () => account.sum('engawa_ingest_unparked_blocks_total') === parked(),
  );
  await allDone();

  // Over unbroken connections, each sent message is received and counted once.
  const [before, sent] = [account.now.received, mixed.sent];
  await sendMixture({ rounds: 40, cutting: false });
  await until('the last of them', () => account.now.received >= before + mixed.sent - sent);
  await allDone();
  expect(account.now.received).toBe(before + mixed.sent - sent);

  expect(account.wrong).toEqual([]);
  const done = (decoder: string, outcome: string) =>
    account.sum('engawa_ingest_messages_total', { decoder, outcome });
  const classes = {
    stored: done('native', 'stored'),
    poison: done('native', 'dead_lettered'),
    dropped: done('native', 'dropped_qos0'),
    ignored: done('zigbee2mqtt', 'ignored'),
    undecodable: done('none', 'dead_lettered'),
    parked: parked(),
    connections: account.sum('engawa_mqtt_connects_total') - 2,
    overHttp: account.sum('engawa_ingest_http_readings_total', { outcome: 'stored' }),
    scrapesWithMessagesUnderWay: account.underWay,
  };
  process.stdout.write(`conservation: ${account.scrapes} scrapes, ${JSON.stringify(classes)}\n`);
  expect(Object.entries(classes).filter(([, count]) => count === 0)).toEqual([]);
});

it('message counters balance while a service closes with messages in flight', async () => {
  const { account, mixed, service, simulator } = all;
  simulator.setFaults([hang]);
  for (let index = 0; index < 60; index++) mixed.send('stored', 1);
  await until('messages that are held', () => account.now.held >= 40);
  const closed = service.close();
  const atBeginning = account.scrapes;
  for (let index = 0; index < 40; index++) {
    mixed.send();
    await sleep(5);
  }
  simulator.setFaults([slow]);
  await closed;
  await account.ended;
  process.stdout.write(`conservation: ${account.scrapes - atBeginning} scrapes while closing\n`);
  expect(account.scrapes - atBeginning).toBeGreaterThan(0);
  expect(account.wrong).toEqual([]);
  expect(account.now.done).toBeGreaterThan(0);
});
