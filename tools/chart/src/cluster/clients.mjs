// Clients of test:cluster, in a pod of the cluster: each asks its target again and again, over new or over kept connections, and
// counts what fails. Prints all counts each second, as a line of JSON; the last line counts.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** `{name, method, url, kept}`: whether connections are kept. */
const targets = JSON.parse(process.env.TARGETS);
const pauseMs = 20;
/** Longer than a service takes to answer with 503; what takes longer has failed. */
const timeoutMs = 20_000;
const mostFailures = 10;

const counts = targets.map(({ name }) => ({ name, answered: 0, failed: 0, failures: [] }));
const report = () => console.log(JSON.stringify(counts));

targets.forEach((target, index) => void play(target, counts[index]));
setInterval(report, 1000);
process.on('SIGTERM', () => {
  report();
  process.exit(0);
});

async function play({ method, url, kept }, count) {
  const agent = new Agent({ keepAlive: kept, maxSockets: 1 });
  for (;;) {
    const failure = await ask(agent, method, url).catch((error) => error.code ?? error.message);
    if (failure === undefined) count.answered += 1;
    else {
      count.failed += 1;
      if (count.failures.length < mostFailures)
        count.failures.push(`${new Date().toISOString()} ${failure}`);
    }
    await sleep(pauseMs);
  }
}

/** @returns what was wrong; undefined for an answer of success */
function ask(agent, method, url) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const options = { agent, method, headers: { 'Content-Type': 'application/json' } };
  const asked = request(url, { ...options, signal: AbortSignal.timeout(timeoutMs) });
  asked.on('error', reject);
  asked.on('response', (answer) => {
    answer.resume();
    answer.on('error', reject);
    answer.on('end', () => resolve(answer.statusCode < 300 ? undefined : `${answer.statusCode}`));
  });
  const reading = { device: 'cluster-client', ts: new Date().toISOString(), value: 1 };
  asked.end(method === 'POST' ? JSON.stringify(reading) : undefined);
  return promise;
}
