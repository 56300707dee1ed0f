import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBroker } from '@engawa/embedded';
import { describeWithMosquitto, startMosquitto, until } from '@engawa/testing';
import { createWebSocketStream, WebSocketServer } from 'ws';
import { startSubscriber } from './start-subscriber.ts';
import type { AddressInfo } from 'node:net';
import type { Mosquitto } from '@engawa/testing';
import type { SubscriberOptions } from '../src/index.ts';

let folder: string;
let broker: Mosquitto | undefined;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'engawa-tls-'));
});
afterEach(async () => {
  await broker?.close();
  broker = undefined;
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A certificate for this host name that signs itself. */
function certificate(name: string): { certificate: string; key: string } {
  const files = { certificate: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) };
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '1',
    ]
      .concat(['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`])
      .concat(['-keyout', files.key, '-out', files.certificate]),
    { stdio: 'pipe' },
  );
  return files;
}

async function startTls(name: string): Promise<{ url: string; caFile: string }> {
  const { certificate: caFile, key } = certificate(name);
  const settings = ['allow_anonymous true', `certfile ${caFile}`, `keyfile ${key}`];
  broker = await startMosquitto({ settings });
  return { url: `mqtts://localhost:${broker.port}`, caFile };
}

/** Resolves with what keeps the subscriber from its work, once there is something that says so. */
async function troubleOf(options: Partial<SubscriberOptions> & { url: string }): Promise<string> {
  const { subscriber } = startSubscriber(options.url, options);
  try {
    return await until('a reason', () => /: (.+)$/.exec(subscriber.unavailableReason() ?? '')?.[1]);
  } finally {
    await subscriber.close();
  }
}

describeWithMosquitto('a broker behind TLS', () => {
  it('is connected to where its certificate is trusted', async () => {
    const { url, caFile } = await startTls('localhost');
    const { subscriber, ready } = startSubscriber(url, { version: '5', caFile });
    await ready();
    await subscriber.close();
  });

  it('is waited for while a file is missing, as when certificates are being replaced', async () => {
    const { url, caFile } = await startTls('localhost');
    const late = join(folder, 'late.pem');
    const { subscriber, ready } = startSubscriber(url, { version: '5', caFile: late });
    await until('a reason', () => subscriber.unavailableReason()?.includes(late) === true);
    copyFileSync(caFile, late);
    await ready();
    await subscriber.close();
  });

  it('is not where nobody vouches for it, or where it is for another host', async () => {
    const { url } = await startTls('localhost');
    expect(await troubleOf({ url })).toBe('its certificate is self-signed; set MQTT_CA_FILE');
    await broker?.close();
    const other = await startTls('elsewhere');
    expect(await troubleOf(other)).toBe('its certificate is for another host name');
  });
});

describe('a broker behind WebSockets', () => {
  it('is connected to', async () => {
    const tcp = await startBroker();
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    server.on('connection', (socket) => {
      const stream = createWebSocketStream(socket);
      stream.pipe(connect(tcp.port, '127.0.0.1')).pipe(stream);
    });
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { subscriber, ready } = startSubscriber(`ws://127.0.0.1:${port}`);
    await ready();
    await subscriber.close();
    server.close();
    await tcp.close();
  });
});
