// `helm test`: sends a request to each enabled service, with TOKEN also with this token,
// and, if MAY_WRITE allows it, stores a reading and queries it. Runs in the image, with the addresses in *_URL.
import { setTimeout as sleep } from 'node:timers/promises';

const { INGESTION_URL, REGISTRY_URL, QUERY_URL, CATALOG_URL, CONSOLE_URL } = process.env;
const { NEEDS_TOKEN, TOKEN, MAY_WRITE } = process.env;
const device = 'helm-test';
/** Time in which a service has to answer, or a stored reading has to be visible. */
const timeoutMs = 60_000;

const requests = [
  [INGESTION_URL, '/v1/hot-partitions'],
  [REGISTRY_URL, '/v1/devices?limit=1'],
  [QUERY_URL, '/v1/hot-partitions'],
  [CATALOG_URL, '/v1/types'],
  // Pages need no token; only their requests do.
  [CONSOLE_URL, '/house', 200],
];

const unauthorized = NEEDS_TOKEN === 'true' ? 401 : 200;
for (const [service, path, expected = unauthorized] of requests) {
  if (service === undefined) continue;
  await until(`${service}${path} answers ${expected}`, async () => {
    const { status } = await send(service + path);
    return status === expected ? undefined : `it answered ${status}`;
  });
}
if (TOKEN !== undefined) await tryToken(`Bearer ${TOKEN.trim()}`);
if (MAY_WRITE === 'true' && INGESTION_URL !== undefined && QUERY_URL !== undefined) {
  const value = Math.round(Math.random() * 1e6);
  await until(`${INGESTION_URL} stores a reading`, async () => {
    const reading = JSON.stringify({ device, ts: new Date().toISOString(), value });
    const headers = { 'Content-Type': 'application/json' };
    const { status, text } = await send(`${INGESTION_URL}/v1/readings`, {
      method: 'POST',
      headers,
      body: reading,
    });
    return status < 300 ? undefined : `it answered ${status}: ${text}`;
  });
  await until(`${QUERY_URL} returns the reading`, async () => {
    const { status, text } = await send(`${QUERY_URL}/v1/devices/${device}/latest?limit=1`);
    return text.includes(String(value)) ? undefined : `it answered ${status}: ${text}`;
  });
}
console.log('all checks passed');

/** A token without the scope is answered 403, after the checks of its issuer and audience. */
async function tryToken(authorization) {
  for (const [service, path, expected] of requests) {
    if (service === undefined || expected !== undefined) continue;
    await until(`${service}${path} accepts the token`, async () => {
      const { status, text } = await send(service + path, { headers: { authorization } });
      return status === 200 || status === 403 ? undefined : `it answered ${status}: ${text}`;
    });
  }
}

async function send(url, options) {
  const response = await fetch(url, { ...options, signal: AbortSignal.timeout(5000) });
  return { status: response.status, text: await response.text() };
}

/** Repeats a check until it returns no reason for failure. */
async function until(what, check) {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const reason = await check().catch(
      (error) => `${error.message}${error.cause ? `: ${error.cause.message}` : ''}`,
    );
    if (reason === undefined) break;
    if (Date.now() > deadline) {
      console.error(`${what}: failed; ${reason}`);
      process.exit(1);
    }
    await sleep(1000);
  }
  console.log(`${what}: ok`);
}
