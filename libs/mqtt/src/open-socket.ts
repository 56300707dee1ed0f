import { readFileSync } from 'node:fs';
import { connect as connectTcp } from 'node:net';
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

/** Opens the connection that MQTT is to be spoken over. Certificates are read anew each time, since they get renewed. */
export function openSocket(options: SocketOptions): Duplex {
  const { protocol, hostname, port } = new URL(options.url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const address = { host, port: Number(port) || (defaultPorts[protocol] ?? 1883) };
  const tls = {
    ca: read(options.caFile),
    cert: read(options.certFile),
    key: read(options.keyFile),
  };
  if (protocol === 'mqtt:') return connectTcp({ ...address, noDelay: true });
  if (protocol === 'mqtts:') return connectTls({ ...address, ...tls, servername: host });
  // The subprotocol that MQTT has to name [MQTT-6.0.0-3].
  return createWebSocketStream(new WebSocket(options.url, 'mqtt', tls));
}

function read(file: string | undefined): Buffer | undefined {
  return file === undefined ? undefined : readFileSync(file);
}
