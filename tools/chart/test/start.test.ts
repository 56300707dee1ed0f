import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { startTable, until } from '@engawa/testing';
import { describeWithHelm } from './describe-with-helm.ts';
import { secretValue } from './checks/environment.ts';
import { probePaths } from './checks/references.ts';
import { least } from './values.ts';
import { Rendered, services } from './rendered.ts';
import { Stack } from './stack.ts';

/** No broker listens there: readings are sent over HTTP only. */
const noBroker = 'mqtt://127.0.0.1:9';

/** Runs the command of `helm test` with these addresses instead of those of the Services. */
async function helmTest(rendered: Rendered, addresses: Record<string, string>) {
  const [{ command = [], args = [] } = {}] = rendered.pod('test').containers;
  const [, ...options] = [...command, ...args];
  const child = spawn(process.execPath, options, {
    env: { ...rendered.processEnvironment('test', secretValue), ...addresses },
  });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const [status] = (await once(child, 'exit')) as [number | null];
  return { status, said: (await said).join('') };
}

describeWithHelm("with the chart's environment", () => {
  it('the Job creates the table, services start, pass their probes and helm test', async () => {
    const engine = await startTable(() => Promise.resolve());
    const aws = { endpoint: engine.location.endpoint, existingSecret: 'aws' };
    const rendered = Rendered.of({ values: { ...least, aws, test: { write: true } } });
    const stack = new Stack(rendered, noBroker);
    try {
      await stack.start('table');
      const addresses: Record<string, string> = {};
      for (const service of services) {
        const ports = await stack.start(service);
        const expected = [200, service === 'ingestion' ? 503 : 200, 200];
        await until(`${service} to answer its probes with ${expected.join(', ')}`, async () => {
          const probes = probePaths.map((path) => fetch(ports.url('METRICS_PORT') + path));
          const statuses = (await Promise.all(probes)).map(({ status }) => status);
          return isDeepStrictEqual(statuses, expected);
        });
        addresses[`${service.toUpperCase()}_URL`] = ports.url('PORT');
      }
      const { status, said } = await helmTest(rendered, addresses);
      expect(said).toContain('all checks passed');
      expect(status).toBe(0);
    } finally {
      await stack.close();
      await engine.close();
    }
  });
});
