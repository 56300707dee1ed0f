// Runs scenarios with two virtual processes in a world that controls time and network, and prints the events.
import * as kernel from '../../src/kernel/index.ts';

kernel.takeOver();
const { createServer, get } = await import('node:http');
const { randomUUID } = await import('node:crypto');
const { setTimeout: delay } = await import('node:timers/promises');

interface TwoProcesses {
  world: kernel.Agenda;
  network: kernel.VirtualNetwork;
  server: kernel.VirtualProcess;
  client: kernel.VirtualProcess;
  told: string[];
}

function open(seed: number): TwoProcesses {
  const world = new kernel.Agenda(new kernel.Random(seed));
  const network = new kernel.VirtualNetwork();
  kernel.enterWorld(world, Date.UTC(2026, 0, 1));
  kernel.enterNetwork(network);
  const server = new kernel.VirtualProcess({ name: 'server', world, wallOffsetMs: 5000 });
  const client = new kernel.VirtualProcess({ name: 'client', world });
  return { world, network, server, client, told: [] };
}

/** Serves requests: the response is sent after a second, and has the server's wall-clock time. */
function serve({ server, told }: TwoProcesses): void {
  server.run(() => {
    createServer((request, response) => {
      told.push(`asked ${request.url ?? ''}`);
      setTimeout(() => response.end(new Date().toISOString()), 1000);
    }).listen(80);
  });
}

function ask({ client, world, told }: TwoProcesses, path: string): void {
  client.run(() => {
    const note = (what: string) => told.push(`${path} ${what} at ${Math.round(world.now())}`);
    get({ port: 80, path, agent: false }, (response) => {
      response.on('data', (text: Buffer) => note(text.toString()));
      response.on('error', ({ message }) => note(message));
    }).on('error', ({ message }) => note(message));
  });
}

const until = (processes: TwoProcesses, end: number) =>
  processes.world.runUntil(end, { settle: kernel.settle });

const scenarios: Record<string, (processes: TwoProcesses) => Promise<void>> = {
  async answers(processes) {
    serve(processes);
    ask(processes, '/one');
    await until(processes, 5000);
  },
  async 'a server that is killed'(processes) {
    serve(processes);
    ask(processes, '/one');
    await until(processes, 500);
    processes.server.kill();
    await until(processes, 5000);
    ask(processes, '/two');
    await until(processes, 10_000);
  },
  async 'a server that pauses'(processes) {
    serve(processes);
    ask(processes, '/one');
    await until(processes, 500);
    processes.server.pause(3000);
    await until(processes, 10_000);
  },
  async 'a connection that is cut'(processes) {
    serve(processes);
    ask(processes, '/one');
    await until(processes, 500);
    for (const connection of processes.network.connections) connection.cut();
    await until(processes, 5000);
  },
  async 'a connection that is silent'(processes) {
    serve(processes);
    ask(processes, '/one');
    await until(processes, 500);
    for (const connection of processes.network.connections) connection.silence();
    await until(processes, 100_000);
  },
  async chance(processes) {
    processes.told.push(randomUUID(), String(Math.random()));
    const waited = delay(70_000).then(() =>
      processes.told.push(`waited until ${processes.world.now()}`),
    );
    await until(processes, 70_000);
    await waited;
  },
};

const told: Record<string, string[]> = {};
for (const [name, play] of Object.entries(scenarios)) {
  const processes = open(3);
  await play(processes);
  told[name] = processes.told;
}
process.stdout.write(JSON.stringify(told), () => process.exit(0));
