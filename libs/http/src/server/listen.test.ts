import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Agent, get } from 'node:http';
import { OperatorError } from '@engawa/errors';
import { until } from '@engawa/testing';
import { pino } from 'pino';
import { listen } from './listen.ts';
import type { ListenOptions } from './listen.ts';

const log = pino({ enabled: false });
const start = (
  app: RequestListener,
  more: Partial<Pick<ListenOptions, 'host' | 'port' | 'idleTimeoutMs' | 'maxConnectionAgeMs'>> = {},
) => listen({ app, host: '127.0.0.1', port: 0, variable: 'PORT', log, ...more });
const ok: RequestListener = (_request, response) => response.end('ok');

interface ConnectionResponse {
  body: string;
  /** Whether the request came over a reused connection. */
  reused: boolean;
  /** The Connection header: `close` or `keep-alive`. */
  connection: string | undefined;
}

async function ask(port: number, agent: Agent): Promise<ConnectionResponse> {
  const request = get({ port, agent, host: '127.0.0.1' });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const { connection } = response.headers;
  return { body: await text(response), reused: request.reusedSocket, connection };
}

const answer = async (port: number, agent: Agent) => (await ask(port, agent)).body;

describe('listening', () => {
  it('names the port in use, and the variable that changes it', async () => {
    const first = await start(ok);
    const second = start(ok, { port: first.port });
    await expect(second).rejects.toThrow(OperatorError);
    await expect(second).rejects.toThrow(
      `port ${first.port} on 127.0.0.1 is already in use; set PORT to another`,
    );
    await first.close();
  });

  it('reports an address of another machine', async () => {
    const host = '203.0.113.1'; // RFC 5737: an address that no host has
    const listening = start(ok, { host });
    await expect(listening).rejects.toThrow(OperatorError);
    await expect(listening).rejects.toThrow(`${host} is not an address of this machine; set HOST`);
  });
});

describe('an idle connection', () => {
  it('stays open while the service works on a request of it, otherwise closes', async () => {
    let timeouts = 0;
    const patient: RequestListener = ({ socket }, response) => {
      socket.on('timeout', () => {
        timeouts += 1;
        if (timeouts === 3) response.end('worked for long');
      });
    };
    const listening = await start(patient, { idleTimeoutMs: 50 });
    const agent = new Agent({ keepAlive: true });
    expect(await answer(listening.port, agent)).toBe('worked for long');
    const silent = connect(listening.port, '127.0.0.1');
    await once(silent, 'close');
    agent.destroy();
    await listening.close();
  });
});

it('a connection closes with a response once it is older than the maximum, and a new one is opened', async () => {
  const listening = await start(ok, { maxConnectionAgeMs: 20 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let last = await ask(listening.port, agent);
  await until('the end of the connection', async () => {
    last = await ask(listening.port, agent);
    return last.connection === 'close';
  });
  expect((await ask(listening.port, agent)).reused).toBe(false);
  agent.destroy();
  await listening.close();
});

describe('draining', () => {
  const forever = 3_600_000;

  it('continues to respond, with the end of the connection in each response', async () => {
    const running = Promise.withResolvers<ServerResponse>();
    const listening = await start((request, response) => {
      if (request.url === '/slow') running.resolve(response);
      else response.end('ok');
    });
    const agent = new Agent({ keepAlive: true });
    expect(await ask(listening.port, agent)).toMatchObject({ connection: 'keep-alive' });
    const slow = get({ port: listening.port, host: '127.0.0.1', path: '/slow', agent });
    const response = await running.promise; // on the kept connection
    const kept = new Agent({ keepAlive: true });
    expect(await answer(listening.port, kept)).toBe('ok');

    void listening.drain(forever);
    response.end('slow');
    const [begun] = (await once(slow, 'response')) as [IncomingMessage];
    expect(begun.headers.connection).toBe('close');
    const closes = { body: 'ok', connection: 'close' };
    expect(await ask(listening.port, kept)).toEqual({ ...closes, reused: true });
    expect(await ask(listening.port, kept)).toEqual({ ...closes, reused: false });
    for (const client of [agent, kept]) client.destroy();
    await listening.close();
  });

  it('ends by accepting no more connections', async () => {
    const listening = await start(ok);
    const idle = connect(listening.port, '127.0.0.1');
    await once(idle, 'connect');
    await listening.drain(0);
    await once(idle, 'close');
    const late = connect(listening.port, '127.0.0.1');
    await once(late, 'error');
    await listening.close();
  });
});

describe('closing', () => {
  it('closes connections that are idle or without a request at once', async () => {
    const listening = await start(ok);
    const agent = new Agent({ keepAlive: true });
    expect(await answer(listening.port, agent)).toBe('ok');
    const silent = connect(listening.port, '127.0.0.1');
    const halfway = connect(listening.port, '127.0.0.1');
    await Promise.all([once(silent, 'connect'), once(halfway, 'connect')]);
    halfway.write('GET / HTTP/1.1\r\nHos');
    await listening.close(); // would take a minute if it waited for one of the three
    for (const client of [agent, silent, halfway]) client.destroy();
  });

  it('waits for a running request only', async () => {
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
    await once(late, 'error'); // refused: the server accepts no more
    expect(closed).toBe(false);
    response.end('after all');
    expect(await body).toBe('after all');
    await closing;
    agent.destroy();
  });
});
