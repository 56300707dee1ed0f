// `helm test`: asks each service that is on, and, where it may, stores a reading and asks for it. Runs in the image, with
// the addresses in *_URL.
import { setTimeout as sleep } from 'node:timers/promises';

const { INGESTION_URL, REGISTRY_URL, QUERY_URL, CATALOG_URL, NEEDS_TOKEN, MAY_WRITE } = process.env;
const device = 'helm-test';
/** Milliseconds that a service may take to come up, or a reading to be seen. */
const patience = 60_000;

const questions = [
  [INGESTION_URL, '/v1/hot-partitions'],
  [REGISTRY_URL, '/v1/devices?limit=1'],
  [QUERY_URL, '/v1/hot-partitions'],
  [CATALOG_URL, '/v1/types'],
];

for (const [service, path] of questions) {
  if (service === undefined) continue;
  const wanted = NEEDS_TOKEN === 'true' ? 401 : 200;
  await until(`${service}${path} answers ${wanted}`, async () => {
    const { status } = await ask(service + path);
    return status === wanted ? undefined : `it answered ${status}`;
  });
}
if (MAY_WRITE === 'true' && INGESTION_URL !== undefined && QUERY_URL !== undefined) {
  const value = Math.round(Math.random() * 1e6);
  await until(`${INGESTION_URL} stores a reading`, async () => {
    const reading = JSON.stringify({ device, ts: new Date().toISOString(), value });
    const headers = { 'Content-Type': 'application/json' };
    const { status, text } = await ask(`${INGESTION_URL}/v1/readings`, {
      method: 'POST',
      headers,
      body: reading,
    });
    return status < 300 ? undefined : `it answered ${status}: ${text}`;
  });
  await until(`${QUERY_URL} has it`, async () => {
    const { status, text } = await ask(`${QUERY_URL}/v1/devices/${device}/latest?limit=1`);
    return text.includes(String(value)) ? undefined : `it answered ${status}: ${text}`;
  });
}
console.log('all is well');

async function ask(url, options) {
  const answer = await fetch(url, { ...options, signal: AbortSignal.timeout(5000) });
  return { status: answer.status, text: await answer.text() };
}

async function until(what, missing) {
  const deadline = Date.now() + patience;
  for (;;) {
    const why = await missing().catch(
      (error) => `${error.message}${error.cause ? `: ${error.cause.message}` : ''}`,
    );
    if (why === undefined) break;
    if (Date.now() > deadline) {
      console.error(`${what}: no; ${why}`);
      process.exit(1);
    }
    await sleep(1000);
  }
  console.log(`${what}: yes`);
}
