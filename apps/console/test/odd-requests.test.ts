import { announcedSeed, closersAfterEach, randomFrom, someOrAll } from '@engawa/testing';
import { rawStatus } from './raw-request.ts';
import { startConsole } from './start-console.ts';
import { startService } from './service.ts';

const closers = closersAfterEach();

/** A console in front of services and an issuer that answer every request, and accept no token. */
async function start() {
  const service = await startService((request, response) => {
    request.resume().once('end', () => response.writeHead(401).end('{}'));
  });
  const names = ['INGESTION', 'REGISTRY', 'QUERY', 'CATALOG'];
  const urls = names.flatMap((name) => [`${name}_URL`, `${name}_METRICS_URL`]);
  const app = await startConsole({
    AUTH_MODE: 'jwt',
    AUTH_CLIENT_ID: 'console',
    AUTH_ISSUER: service.url,
    ...Object.fromEntries(urls.map((name) => [name, service.url])),
  });
  closers.push(service.close, app.close);
  return app;
}

const paths = [
  ...['/', '/house', '/explore?x=1', '/index.html', '/assets/index-abc.js', '/assets', '/assets/'],
  ...['/api/session', '/api/session/token', '/api/live', '/api/status', '/api', '/api/'],
  ...['ingestion', 'registry', 'query', 'catalog'].map((name) => `/api/${name}/v1/things`),
];
const endings = [
  ...[
    '',
    '',
    '',
    '/',
    '?',
    '?a=%',
    '?a=%00',
    '#a',
    '..',
    '/..',
    '%2f..%2f..%2fetc/passwd',
    '..%2f',
  ],
  ...[
    '%',
    '%zz',
    '%c3%28',
    '%00',
    '%5c..%5c',
    '\\..\\',
    '/.git/config',
    '/.env',
    '//',
    ';a=b',
    '\xe9',
  ],
  ...[
    '/%2e%2e/',
    'a'.repeat(300),
    '/'.repeat(40),
    '%2f'.repeat(40),
    '?'.repeat(9),
    '/~root',
    '*',
    "'",
  ],
];
const methods = [
  'GET',
  'GET',
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'PROPFIND',
];
const headers = [
  ...['Range: bytes=99999-', 'Range: bytes=-', 'Range: bytes=0-0,2-2', 'Range: lines=1-2'],
  ...['If-Match: "no"', 'If-Match: *', 'If-None-Match: *', 'If-Unmodified-Since: yesterday'],
  ...[
    'If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT',
    'If-Range: "no"',
    'If-Modified-Since: x',
  ],
  ...['Content-Type: application/json', 'Content-Type: application/json; charset=nonsense'],
  ...['Content-Type: application/json; charset', 'Content-Type: ;', 'Content-Type: text/plain'],
  ...['Content-Encoding: nonsense', 'Content-Encoding: gzip', 'Content-Encoding: br, gzip'],
  ...['Accept: nonsense', 'Accept: ;;q=', 'Accept-Encoding: *;q=0', 'Accept-Encoding: nonsense'],
  ...[
    'Authorization: nonsense',
    'Authorization: Bearer',
    'Authorization: Bearer a.b.c',
    'Cookie: a',
  ],
  ...['Last-Event-ID: nonsense', 'Last-Event-ID: {}', 'X-Request-Id: a b', 'Expect: 100-continue'],
  ...[
    'Expect: nonsense',
    'Upgrade: websocket',
    'Connection: upgrade',
    'TE: trailers',
    'X: \xff\xfe',
  ],
  ...['Transfer-Encoding: chunked', 'Transfer-Encoding: gzip, chunked', 'Content-Length: 999999'],
  ...['Sec-Fetch-Site: cross-site', 'X-Forwarded-For: nonsense', 'traceparent: nonsense'],
];
const bodies = [
  ...['', '', '{', '{}', 'null', '[]', '"a"', '\x1f\x8b\x08', '5\r\n{"a":\r\n0\r\n\r\n'],
  ...['{"grantType":"refresh_token","refreshToken":"a"}', '{"grantType":1}', 'a'.repeat(40_000)],
];

/** The body may end before the end that the headers promise. */
const framed = /^(?:transfer-encoding|content-length: 999999|upgrade|connection: upgrade)/im;

function oddRequest(random: () => number): string {
  const oneOf = (values: readonly string[]): string =>
    String(values[Math.floor(random() * values.length)]);
  const some = Array.from({ length: Math.floor(random() * 4) }, () => oneOf(headers));
  const body = oneOf(bodies);
  const isFramed = some.some((line) => framed.test(line));
  const length = isFramed || body === '' ? [] : [`Content-Length: ${body.length}`];
  const target = oneOf(paths) + oneOf(endings);
  const lines = [`${oneOf(methods)} ${target} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: close'];
  return [...lines, ...some, ...length, '', body].join('\r\n');
}

const count = someOrAll(400, 2000);

it(`${count} odd requests to all routes and files: no failure of the server`, async () => {
  const { url, log, registry } = await start();
  const random = randomFrom(announcedSeed('odd requests'));
  const failed: [number, string][] = [];
  let answered = 0;
  const requests = Array.from({ length: count }, () => oddRequest(random));
  const client = async () => {
    for (let request = requests.pop(); request !== undefined; request = requests.pop()) {
      const status = await rawStatus(url, request, framed.test(request));
      answered += status > 0 ? 1 : 0;
      if (status >= 500) failed.push([status, request]);
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  expect(failed).toEqual([]);
  expect(answered).toBeGreaterThan(count / 2);
  expect(log.failures).toEqual([]);
  expect(await registry.metrics()).not.toMatch(/status="5/);
});

it.each([
  ['GET /house', 'Range: bytes=99999-', 416],
  ['GET /assets/index-abc.js', 'Range: bytes=99999-', 416],
  ['GET /house', 'If-Match: "no"', 412],
  ['GET /assets/index-abc.js', 'If-Match: "no"', 412],
  ['GET /assets/..%2findex.html', 'Accept: */*', 404],
  ['GET /assets/%00', 'Accept: */*', 400],
  ['POST /api/session/token', 'Content-Encoding: nonsense', 415],
  ['POST /api/session/token', 'Content-Type: application/json; charset=nonsense', 415],
  ['POST /api/session/token', 'Content-Type: application/json', 400],
])('%s with %s is answered with %d', async (target, header, status) => {
  const { url } = await start();
  const type = header.startsWith('Content-Type') ? [] : ['Content-Type: application/json'];
  const lines = [`${target} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: close', header, ...type];
  const body = target.startsWith('POST') ? ['Content-Length: 1', '', '{'] : ['', ''];
  expect(await rawStatus(url, [...lines, ...body].join('\r\n'))).toBe(status);
});

it('a range beyond the end names the size of the file', async () => {
  const { url } = await start();
  const response = await fetch(`${url}/house`, { headers: { range: 'bytes=99999-' } });
  expect(response.headers.get('content-range')).toMatch(/^bytes \*\/\d+$/);
  expect(await response.json()).toMatchObject({ type: '/problems/range-not-satisfiable' });
});
