import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import type { AedesPublishPacket } from 'aedes';
import { Aedes } from 'aedes';

export interface TestBroker {
  url: string;
  /** What devices published, in the order of arrival. */
  received: { topic: string; payload: string }[];
  /** Resolves as soon as the condition holds; looks at each message that arrives. */
  until: (condition: () => boolean) => Promise<void>;
  /** May be called again. */
  close: () => Promise<void>;
}

/** A broker on a free port of loopback that keeps what it was sent; `hold` never acknowledges. */
export async function startBroker({ hold = false, port = 0 } = {}): Promise<TestBroker> {
  const broker = await Aedes.createBroker({
    authorizePublish: (_client, _packet, callback) => {
      if (!hold) callback(null);
    },
  });
  const server = createServer((socket) => broker.handle(socket));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const received: TestBroker['received'] = [];
  broker.on('publish', ({ topic, payload }: AedesPublishPacket) => {
    if (topic.startsWith('engawa/')) received.push({ topic, payload: payload.toString() });
  });
  return {
    url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    until: async (condition) => {
      while (!condition()) await once(broker, 'publish');
    },
    close: async () => {
      if (!server.listening) return;
      await new Promise<void>((resolve) => broker.close(resolve));
      server.close();
      await once(server, 'close');
    },
  };
}
