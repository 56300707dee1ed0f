import { once } from 'node:events';
import { get } from 'node:http';
import { connect } from 'node:net';
import { startRowsApp } from './rows-app.ts';
import { until } from './sample-app.ts';
import type { IncomingMessage } from 'node:http';

let app: Awaited<ReturnType<typeof startRowsApp>>;
beforeEach(async () => {
  app = await startRowsApp({ idleTimeoutMs: 300 });
});
afterEach(() => app.close());

const path = '/v1/lists/{name}';
const ask = (query: string, accept = 'application/x-ndjson') =>
  fetch(`${app.url}/v1/lists/a?${query}`, { headers: { accept } });
const state = () => app.watched.get('a');

/** A response with an unread body. */
async function unread(query: string): Promise<IncomingMessage> {
  const headers = { accept: 'text/csv' };
  const [answer] = (await once(get(`${app.url}/v1/lists/a?${query}`, { headers }), 'response')) as [
    IncomingMessage,
  ];
  answer.on('error', () => undefined); // the client's own disconnect counts as an abort
  return answer;
}

describe('rows that fail half-way', () => {
  it.each(['application/x-ndjson', 'text/csv'])(
    'abort the transfer of %s, with one log line',
    async (accept) => {
      const answer = await ask('rows=5000&failsAt=4000', accept);
      expect(answer.status).toBe(200);
      await expect(answer.text()).rejects.toThrow();
      await until(async () => (await app.counted(path, 500)) === 1);
      const logged = app.lines.filter(({ level }) => level >= 40);
      expect(logged).toEqual([
        expect.objectContaining({
          level: 50,
          msg: 'response aborted',
          err: expect.objectContaining({ message: 'the secret cause' }) as unknown,
        }),
      ]);
      expect(await app.counted(path, 499)).toBe(0);
      expect(state()?.ended).toBe(true);
    },
  );

  it('are counted under the problem that stopped them', async () => {
    const answer = await ask('rows=5000&failsAt=4000&problem=yes');
    await expect(answer.text()).rejects.toThrow();
    await until(async () => (await app.counted(path, 503)) === 1);
  });

  it('also reset the connection of an HTTP/1.0 client, which does not support chunks', async () => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    socket.write(`GET /v1/lists/a?rows=5000&failsAt=4000 HTTP/1.0\r\nAccept: text/csv\r\n\r\n`);
    socket.resume();
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNRESET');
  });
});

describe('a client that does not read', () => {
  it('receives only the socket buffers, and its disconnect ends the rows', async () => {
    const answer = await unread('rows=1000000');
    await until(() => (state()?.given ?? 0) > 0);
    // Socket buffers have a few megabytes; all rows are over 50.
    expect(await settled(() => state()?.given ?? 0)).toBeLessThan(200_000);
    answer.destroy();
    await until(() => state()?.ended === true);
    expect(state()?.given).toBeLessThan(200_000);
    await until(async () => (await app.counted(path, 499)) === 1);
    expect(app.lines.filter(({ level }) => level >= 40)).toEqual([]);
  });

  it('is disconnected after the grace period', async () => {
    await unread('rows=1000000');
    await until(() => state()?.ended === true);
    await until(async () => (await app.counted(path, 499)) === 1);
  });

  it('receives all rows when it resumes in time', async () => {
    // On a busy machine this process may pause for longer than 300 ms between two of its reads.
    await app.close();
    app = await startRowsApp({ idleTimeoutMs: 60_000 });
    const answer = await unread('rows=300000');
    await until(() => (state()?.given ?? 0) > 0);
    expect(await settled(() => state()?.given ?? 0)).toBeLessThan(200_000);
    const bytes: Buffer[] = [];
    answer.on('data', (some: Buffer) => bytes.push(some));
    await once(answer, 'end');
    expect(Buffer.concat(bytes).toString('latin1').split('\r\n').length - 1).toBe(300_001);
  });
});

describe('rows in progress', () => {
  it('are cancelled when the client disconnects', async () => {
    const answer = await unread('rows=10&waitsAt=5');
    await until(() => state()?.given === 5);
    answer.destroy();
    await until(() => state()?.ended === true);
    expect(state()?.aborted).toBe(true);
  });

  it('may take longer than the grace period of a client', async () => {
    const answer = await ask('rows=2&waitsAt=1');
    const body = answer.text();
    // Idle for longer than a younger connection may be.
    await once(connect(Number(new URL(app.url).port), '127.0.0.1').resume(), 'close');
    state()?.release();
    expect((await body).split('\n')).toHaveLength(3);
  });
});

/** Returns the value once it has stopped changing. */
async function settled(value: () => number): Promise<number> {
  for (let last = -1; ;) {
    const now = value();
    if (now === last) return now;
    last = now;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
