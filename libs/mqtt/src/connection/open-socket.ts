import { readFileSync } from 'node:fs';
import { connect as connectTcp, isIP } from 'node:net';
import { PassThrough } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { createWebSocketStream, WebSocket } from 'ws';
import type { Duplex } from 'node:stream';

export interface SocketOptions {
  url: string;
  caFile?: string | undefined;
  certFile?: string | undefined;
  keyFile?: string | undefined;
}

const defaultPorts: Readonly<Record<string, number>> = { 'mqtt:': 1883, 'mqtts:': 8883 };

/**
 * Opens the TCP, TLS or WebSocket connection for MQTT. All failures are 'error' events of the
 * stream, so that connecting is retried: a certificate file that is missing now may be there in a
 * moment, while certificates are rotated.
 */
export function openSocket(options: SocketOptions): Duplex {
  try {
    return open(options);
  } catch (error) {
    return new PassThrough().destroy(error as Error);
  }
}

/** Certificate files are read for each connection, since they are rotated. */
function open(options: SocketOptions): Duplex {
  const { protocol, hostname, port } = new URL(options.url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const address = { host, port: Number(port) || (defaultPorts[protocol] ?? 1883) };
  const tls = {
    ca: read(options.caFile),
    cert: read(options.certFile),
    key: read(options.keyFile),
  };
  if (protocol === 'mqtt:') return connectTcp({ ...address, noDelay: true });
  // An IP address is not sent as server name (RFC 6066, 3); the certificate is still verified against it.
  const servername = isIP(host) === 0 ? host : '';
  if (protocol === 'mqtts:') return connectTls({ ...address, ...tls, servername });
  // MQTT requires this subprotocol [MQTT-6.0.0-3].
  return createWebSocketStream(new WebSocket(options.url, 'mqtt', tls));
}

function read(file: string | undefined): Buffer | undefined {
  return file === undefined ? undefined : readFileSync(file);
}
