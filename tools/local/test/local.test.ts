import { exec } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { freePort } from '@engawa/testing';
import { LocalProcess } from './local-process.ts';
import type { AddressInfo } from 'node:net';

const run = promisify(exec);
const started: LocalProcess[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((local) => local.ended('SIGTERM')));
});

async function start(overrides?: Record<string, string>, args?: string[]): Promise<LocalProcess> {
  const local = await LocalProcess.start(overrides, args);
  started.push(local);
  return local;
}

async function isAnswering(port: string | undefined): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/livez`).then(
    () => true,
    () => false,
  );
}

describe('npm start', () => {
  it('prints curl commands that return data, and stops everything when interrupted', async () => {
    const local = await start();
    await local.printed('Ctrl-C stops everything');
    const urls = [...local.output.matchAll(/curl '(.*)'/g)].map(([, url = '']) => url);
    expect(urls).toHaveLength(3);
    for (const url of urls) {
      const answer = (await (await fetch(url)).json()) as {
        readings?: unknown[];
        items?: { fields: object }[];
        devices?: unknown[];
      };
      const { readings, items, devices = [] } = answer;
      const filled = items?.filter(({ fields }) => Object.keys(fields).length > 0);
      expect((readings ?? filled ?? devices).length).toBeGreaterThan(0);
    }
    expect(await local.ended('SIGINT')).toBe(0);
    for (const [variable, port] of Object.entries(local.environment)) {
      expect([variable, await isAnswering(port)]).toEqual([variable, false]);
    }
  });

  it('prints curl commands that work without the simulator', async () => {
    const local = await start({}, ['--no-simulator']);
    await local.printed('Ctrl-C stops everything');
    const commands = local.output.match(/^  curl .*/gm) ?? [];
    expect(commands).toHaveLength(3);
    const outputs: string[] = [];
    for (const command of commands) {
      const { stdout } = await run(command.replace('curl', 'curl -sS --fail-with-body'));
      outputs.push(stdout);
    }
    expect(JSON.parse(outputs[0] ?? '')).toMatchObject({ stored: 1 });
    expect(JSON.parse(outputs[1] ?? '')).toMatchObject({
      readings: [{ fields: { temperature: 21.5 } }],
    });
    expect(JSON.parse(outputs[2] ?? '')).toMatchObject({ items: [{ id: 'my-sensor' }] });
    expect(await local.ended('SIGINT')).toBe(0);
  });

  it('names ports that are in use and their variables, and starts nothing', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const local = await start({ QUERY_PORT: String(port) });
    expect(await local.ended()).toBe(1);
    expect(local.output).toBe(`engawa: port ${port} is in use: set QUERY_PORT to another\n`);
    server.close();
  });

  it('names variables that set the same port, and starts nothing', async () => {
    const port = String(await freePort());
    const local = await start({ QUERY_PORT: port, CATALOG_PORT: port });
    expect(await local.ended()).toBe(1);
    expect(local.output).toBe(
      `engawa: QUERY_PORT and CATALOG_PORT name the same port ${port}: set each to a port of its own\n`,
    );
  });

  it.each([
    [{ MQTT_PORT: 'mqtt' }, [], 'engawa: MQTT_PORT is "mqtt"; it must be a port from 1 to 65535\n'],
    [{}, ['--fast'], "engawa: Unknown option '--fast'; npm start -- --help lists the options\n"],
  ])('rejects %j %j in one line', async (overrides, args, line) => {
    const local = await start(overrides, args);
    expect(await local.ended()).toBe(1);
    expect(local.output).toBe(line);
  });

  it('reports that it waits for an unreachable broker, and can be interrupted', async () => {
    const port = await freePort();
    const local = await start({ MQTT_URL: `mqtt://127.0.0.1:${port}` });
    await local.printed(
      `waiting for ingestion: cannot connect to mqtt://127.0.0.1:${port}: connection refused: nothing listens at this address`,
    );
    expect(await local.ended('SIGINT')).toBe(0);
    expect(local.output).not.toContain('    at ');
  });

  it('reports that it waits for an unreachable DynamoDB API, and can be interrupted', async () => {
    const port = await freePort();
    const local = await start({ DYNAMODB_ENDPOINT: `http://127.0.0.1:${port}` });
    await local.printed(
      `waiting: table engawa cannot be reached at http://127.0.0.1:${port}: connection refused`,
    );
    expect(await local.ended('SIGINT')).toBe(0);
    expect(local.output).not.toContain('    at ');
  });

  it('stops everything when a service ends, and prints its last line', async () => {
    const local = await start({ CURSOR_SECRET: 'too short' });
    expect(await local.ended()).toBe(1);
    expect(local.output).toContain('CURSOR_SECRET is not valid (it is a secret and not shown)');
    expect(local.output).not.toContain('    at ');
  });
});
