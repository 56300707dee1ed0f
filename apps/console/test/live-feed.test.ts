import { closersAfterEach, itOnLinux, loopbackReason, until } from '@engawa/testing';
import { EventStreamParser } from '../src/event-stream.ts';
import { startConsole } from './start-console.ts';
import { startService } from './service.ts';
import type { ServerResponse } from 'node:http';
import type { StreamEvent } from '../src/event-stream.ts';

const closers = closersAfterEach();

/** An ingestion process whose feed the test writes; it records the requests for its feed. */
async function startIngestion(host: string, port = 0) {
  let isOld = false;
  const requests: { url: string | undefined; lastEventId: string | undefined }[] = [];
  const feeds: ServerResponse[] = [];
  const service = await startService(
    (request, response) => {
      const { 'last-event-id': lastEventId } = request.headers;
      if (isOld) {
        response.writeHead(404, { 'content-type': 'application/problem+json' });
        response.end('{"status":404}');
        return;
      }
      requests.push({ url: request.url, lastEventId: lastEventId?.toString() });
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      feeds.push(response);
    },
    { host, port },
  );
  closers.push(service.close);
  return {
    ...service,
    requests,
    feeds,
    /** As at the beginning of a stream. */
    sendId: (id: string) => feeds.at(-1)?.write(`:\nid: ${id}\n\n`),
    /** Whether the process has a version without the live feed. */
    beOld: (value: boolean) => (isOld = value),
    send: (id: string, data: string) =>
      feeds.at(-1)?.write(`id: ${id}\nevent: reading\ndata: ${data}\n\n`),
  };
}

async function openFeed(url: string, lastEventId?: string) {
  const closed = new AbortController();
  closers.push(() => closed.abort());
  const response = await fetch(`${url}/api/live?place=tanaka`, {
    headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
    signal: closed.signal,
  });
  const events: StreamEvent[] = [];
  const processes: string[] = [];
  const parser = new EventStreamParser();
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      for (const event of parser.push(decoder.decode(chunk as Uint8Array, { stream: true }))) {
        if (event.event === 'processes') processes.push(event.data);
        else events.push(event);
      }
    }
  };
  void read().catch(() => undefined);
  return { response, events, processes, parser, close: () => closed.abort() };
}

async function startTwo() {
  const one = await startIngestion('127.0.0.1');
  const two = await startIngestion('127.0.0.2', one.port);
  const app = await startConsole({ LIVE_FEED_URLS: `http://ingestion.test:${one.port}` }, () =>
    Promise.resolve(['127.0.0.1', '127.0.0.2']),
  );
  closers.push(app.close);
  return { one, two, url: app.url };
}

itOnLinux(
  loopbackReason,
  'merges the feeds of all addresses, and resumes each after its own last event',
  async () => {
    const { one, two, url } = await startTwo();
    const feed = await openFeed(url);
    await until('both feeds are open', () => one.feeds.length === 1 && two.feeds.length === 1);
    one.send('p:7', '{"device":"a"}');
    await until('an event', () => feed.events.length === 1);
    two.send('q:3', '{"device":"b"}');
    await until('both events', () => feed.events.length === 2);
    expect(feed.events.map(({ data }) => data)).toEqual(['{"device":"a"}', '{"device":"b"}']);
    expect(one.requests[0]?.url).toBe('/v1/live?place=tanaka');
    feed.close();

    await openFeed(url, feed.events[1]?.id);
    await until(
      'both feeds are open again',
      () => one.feeds.length === 2 && two.feeds.length === 2,
    );
    expect([one.requests[1]?.lastEventId, two.requests[1]?.lastEventId]).toEqual(['p:7', 'q:3']);
  },
);

itOnLinux(
  loopbackReason,
  'resumes feeds that have sent no event yet after their openings',
  async () => {
    const { one, two, url } = await startTwo();
    const feed = await openFeed(url);
    await until('both feeds are open', () => one.feeds.length === 1 && two.feeds.length === 1);
    one.sendId('p:7');
    two.sendId('q:3');
    await until('both ids', () => feed.parser.lastEventId.split(',').length === 2);
    expect(feed.events).toEqual([]);
    two.feeds[0]?.destroy();
    await until('the second feed is open again', () => two.feeds.length === 2);
    expect(two.requests[1]?.lastEventId).toBe('q:3');
    feed.close();

    const again = await openFeed(url, feed.parser.lastEventId);
    await until(
      'both feeds are open again',
      () => one.feeds.length === 2 && two.feeds.length === 3,
    );
    expect([one.requests[1]?.lastEventId, two.requests[2]?.lastEventId]).toEqual(['p:7', 'q:3']);
    one.send('p:8', '{}');
    await until('an event', () => again.events.length > 0);
    expect(again.events.map(({ event }) => event)).toEqual(['reading']);
  },
);

itOnLinux(
  loopbackReason,
  'reports a loss for a process that a resumed feed does not know',
  async () => {
    const { one, two, url } = await startTwo();
    const feed = await openFeed(url);
    await until('both feeds are open', () => one.feeds.length === 1 && two.feeds.length === 1);
    one.sendId('p:7');
    await until('an id', () => feed.parser.lastEventId !== '');
    feed.close();
    const again = await openFeed(url, feed.parser.lastEventId);
    await until('a loss', () => again.events.length > 0);
    expect(again.events).toMatchObject([{ event: 'lost', data: '{}' }]);
  },
);

itOnLinux(
  loopbackReason,
  'opens an interrupted feed again, and reports a loss where it has no id to resume after',
  async () => {
    const { one, two, url } = await startTwo();
    const feed = await openFeed(url);
    await until('both feeds are open', () => one.feeds.length === 1 && two.feeds.length === 1);
    one.send('p:7', '{}');
    await until('an event', () => feed.events.length === 1);
    one.feeds[0]?.destroy();
    await until('the first feed is open again', () => one.feeds.length === 2);
    expect(one.requests[1]?.lastEventId).toBe('p:7');
    two.feeds[0]?.destroy();
    await until('a loss', () => feed.events.length === 2);
    expect(feed.events[1]).toMatchObject({ event: 'lost', data: '{}' });
  },
);

it('passes on the problem of a service that rejects the request', async () => {
  const service = await startService((_request, response) => {
    response.writeHead(403, { 'content-type': 'application/problem+json' });
    response.end('{"status":403}');
  });
  const app = await startConsole({ INGESTION_URL: service.url });
  closers.push(service.close, app.close);
  const { response } = await openFeed(app.url);
  expect(response.status).toBe(403);
});

itOnLinux(
  loopbackReason,
  'keeps the feeds of other processes while one of an older version has none',
  async () => {
    const { one, two, url } = await startTwo();
    two.beOld(true);
    const feed = await openFeed(url);
    await until('the page knows of the missing process', () =>
      feed.processes.includes('{"open":1,"all":2}'),
    );
    one.send('p:1', '{"device":"a"}');
    await until('an event of the newer version', () => feed.events.length === 1);
    two.beOld(false);
    await until('both feeds are open', () => feed.processes.at(-1) === '{"open":2,"all":2}');
    two.send('q:1', '{"device":"b"}');
    await until('an event of the updated process', () => feed.events.length === 3);
    expect(feed.events.map(({ event }) => event)).toEqual(['reading', 'lost', 'reading']);
  },
);

itOnLinux(
  loopbackReason,
  'ends with the status of the services where all processes reject the feed',
  async () => {
    const { one, two, url } = await startTwo();
    one.beOld(true);
    two.beOld(true);
    const { response } = await openFeed(url);
    expect(response.status).toBe(404);
  },
);
