import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
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

/** A self-signed certificate for this host name. */
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

/** Resolves with the first reason of unavailability that is more specific than this text. */
async function unavailableReasonOf(
  options: Partial<SubscriberOptions> & { url: string },
): Promise<string> {
  const { subscriber } = startSubscriber(options.url, options);
  try {
    return await until('a reason', () => /: (.+)$/.exec(subscriber.unavailableReason() ?? '')?.[1]);
  } finally {
    await subscriber.close();
  }
}

describeWithMosquitto('a broker behind TLS', () => {
  it('is connected to with a trusted certificate', async () => {
    const { url, caFile } = await startTls('localhost');
    const { subscriber, ready } = startSubscriber(url, { version: '5', caFile });
    await ready();
    await subscriber.close();
  });

  it('is tried again while a certificate file is missing, as during a certificate rotation', async () => {
    const { url, caFile } = await startTls('localhost');
    const late = join(folder, 'late.pem');
    const { subscriber, ready } = startSubscriber(url, { version: '5', caFile: late });
    await until('a reason', () => subscriber.unavailableReason()?.includes(late) === true);
    copyFileSync(caFile, late);
    await ready();
    await subscriber.close();
  });

  it('is rejected with an untrusted certificate, or one for another host', async () => {
    const { url } = await startTls('localhost');
    expect(await unavailableReasonOf({ url })).toBe(
      "TLS: the broker's certificate is self-signed; set MQTT_CA_FILE to that certificate",
    );
    await broker?.close();
    const other = await startTls('elsewhere');
    expect(await unavailableReasonOf(other)).toBe(
      "TLS: the broker's certificate is for another host name than that of MQTT_URL",
    );
  });
});

/** A TLS server that requires a client certificate and accepts only trusted ones. */
async function startDemanding(version: 'TLSv1.2' | 'TLSv1.3') {
  const files = certificate('localhost');
  const server = createServer({
    cert: readFileSync(files.certificate),
    key: readFileSync(files.key),
    ca: readFileSync(files.certificate),
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: version,
    maxVersion: version,
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { server, url: `mqtts://localhost:${port}`, caFile: files.certificate };
}

describe('a broker that requires a client certificate', () => {
  it.each([
    ['TLSv1.3', 'TLS: the broker requires a client certificate'],
    [
      'TLSv1.2',
      'TLS: the broker refuses the handshake, probably because it requires a client certificate',
    ],
  ] as const)('names the settings of the missing certificate: %s', async (version, reason) => {
    const { server, ...options } = await startDemanding(version);
    try {
      expect(await unavailableReasonOf(options)).toBe(
        `${reason}; set MQTT_CERT_FILE and MQTT_KEY_FILE`,
      );
    } finally {
      server.close();
    }
  });

  it('reports a key that does not match the certificate', async () => {
    const { server, url, caFile } = await startDemanding('TLSv1.3');
    const [certFile, keyFile] = [certificate('one').certificate, certificate('other').key];
    try {
      expect(await unavailableReasonOf({ url, caFile, certFile, keyFile })).toBe(
        'TLS: the key in MQTT_KEY_FILE does not belong to the certificate in MQTT_CERT_FILE',
      );
    } finally {
      server.close();
    }
  });
});

describeWithMosquitto('a Mosquitto with require_certificate', () => {
  it('names the settings of the missing certificate', async () => {
    const { certificate: caFile, key } = certificate('localhost');
    const settings = ['allow_anonymous true', `certfile ${caFile}`, `keyfile ${key}`];
    settings.push(`cafile ${caFile}`, 'require_certificate true');
    broker = await startMosquitto({ settings });
    const url = `mqtts://localhost:${broker.port}`;
    expect(await unavailableReasonOf({ url, caFile })).toBe(
      'TLS: the broker requires a client certificate; set MQTT_CERT_FILE and MQTT_KEY_FILE',
    );
  });
});

describe('a broker behind WebSockets', () => {
  it('is connected to', async () => {
    const tcp = await startBroker();
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    server.on('connection', (socket) => {
      const stream = createWebSocketStream(socket);
      // The broker may send while the client closes.
      stream.on('error', () => undefined);
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
