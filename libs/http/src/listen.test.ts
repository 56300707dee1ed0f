import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Agent, get } from 'node:http';
import { OperatorError } from '@engawa/errors';
import { pino } from 'pino';
import { listen } from './listen.ts';

const log = pino({ enabled: false });
const start = (
  app: RequestListener,
  more: { host?: string; port?: number; idleTimeout?: number } = {},
) => listen({ app, host: '127.0.0.1', port: 0, variable: 'PORT', log, ...more });
const ok: RequestListener = (_request, response) => response.end('ok');

async function answer(port: number, agent: Agent): Promise<string> {
  const request = get({ port, agent, host: '127.0.0.1' });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return text(response);
}

describe('listening', () => {
  it('says which port is in use, and the variable that changes it', async () => {
    const first = await start(ok);
    const second = start(ok, { port: first.port });
    await expect(second).rejects.toThrow(OperatorError);
    await expect(second).rejects.toThrow(
      `port ${first.port} on 127.0.0.1 is already in use; set PORT to another`,
    );
    await first.close();
  });

  it('says that an address is not of this machine', async () => {
    const host = '203.0.113.1'; // RFC 5737: nobody has it
    const listening = start(ok, { host });
    await expect(listening).rejects.toThrow(OperatorError);
    await expect(listening).rejects.toThrow(`${host} is no address of this machine; set HOST`);
  });
});

describe('a connection over which nothing moves', () => {
  it('stays while the service works on a request of it, and ends when it does not', async () => {
    let timeouts = 0;
    const patient: RequestListener = ({ socket }, response) => {
      socket.on('timeout', () => {
        timeouts += 1;
        if (timeouts === 3) response.end('worked for long');
      });
    };
    const listening = await start(patient, { idleTimeout: 50 });
    const agent = new Agent({ keepAlive: true });
    expect(await answer(listening.port, agent)).toBe('worked for long');
    const silent = connect(listening.port, '127.0.0.1');
    await once(silent, 'close');
    agent.destroy();
    await listening.close();
  });
});

describe('closing', () => {
  it('ends connections that are idle or have not asked, at once', async () => {
    const listening = await start(ok);
    const agent = new Agent({ keepAlive: true });
    expect(await answer(listening.port, agent)).toBe('ok');
    const silent = connect(listening.port, '127.0.0.1');
    const halfway = connect(listening.port, '127.0.0.1');
    await Promise.all([once(silent, 'connect'), once(halfway, 'connect')]);
    halfway.write('GET / HTTP/1.1\r\nHos');
    await listening.close(); // would take a minute if it waited for any of the three
    for (const client of [agent, silent, halfway]) client.destroy();
  });

  it('waits for a running request, and no longer', async () => {
    const running = Promise.withResolvers<ServerResponse>();
    const listening = await start((_request, response) => running.resolve(response));
    const agent = new Agent({ keepAlive: true });
    const body = answer(listening.port, agent);
    const response = await running.promise;
    let closed = false;
    const closing = listening.close().then(() => {
      closed = true;
    });
    const late = connect(listening.port, '127.0.0.1');
    await once(late, 'error'); // refused: it takes no more
    expect(closed).toBe(false);
    response.end('after all');
    expect(await body).toBe('after all');
    await closing;
    agent.destroy();
  });
});
