// Plays scenes of two processes in a world that has taken this process over, and prints what happened.
import * as kernel from '../../src/kernel/index.ts';

kernel.takeOver();
const { createServer, get } = await import('node:http');
const { randomUUID } = await import('node:crypto');
const { setTimeout: delay } = await import('node:timers/promises');

interface Scene {
  world: kernel.Agenda;
  network: kernel.VirtualNetwork;
  server: kernel.VirtualProcess;
  client: kernel.VirtualProcess;
  told: string[];
}

function open(seed: number): Scene {
  const world = new kernel.Agenda(new kernel.Random(seed));
  const network = new kernel.VirtualNetwork();
  kernel.enterWorld(world, Date.UTC(2026, 0, 1));
  kernel.enterNetwork(network);
  const server = new kernel.VirtualProcess({ name: 'server', world, wallOffsetMs: 5000 });
  const client = new kernel.VirtualProcess({ name: 'client', world });
  return { world, network, server, client, told: [] };
}

/** Answers after a second of its own time, with its wall clock. */
function serve({ server, told }: Scene): void {
  server.run(() => {
    createServer((request, response) => {
      told.push(`asked ${request.url ?? ''}`);
      setTimeout(() => response.end(new Date().toISOString()), 1000);
    }).listen(80);
  });
}

function ask({ client, world, told }: Scene, path: string): void {
  client.run(() => {
    const note = (what: string) => told.push(`${path} ${what} at ${Math.round(world.now())}`);
    get({ port: 80, path, agent: false }, (response) => {
      response.on('data', (text: Buffer) => note(text.toString()));
      response.on('error', ({ message }) => note(message));
    }).on('error', ({ message }) => note(message));
  });
}

const until = (scene: Scene, end: number) => scene.world.runUntil(end, { settle: kernel.settle });

const scenes: Record<string, (scene: Scene) => Promise<void>> = {
  async answers(scene) {
    serve(scene);
    ask(scene, '/one');
    await until(scene, 5000);
  },
  async 'a server that is killed'(scene) {
    serve(scene);
    ask(scene, '/one');
    await until(scene, 500);
    scene.server.kill();
    await until(scene, 5000);
    ask(scene, '/two');
    await until(scene, 10_000);
  },
  async 'a server that pauses'(scene) {
    serve(scene);
    ask(scene, '/one');
    await until(scene, 500);
    scene.server.pause(3000);
    await until(scene, 10_000);
  },
  async 'a connection that is cut'(scene) {
    serve(scene);
    ask(scene, '/one');
    await until(scene, 500);
    for (const connection of scene.network.connections) connection.cut();
    await until(scene, 5000);
  },
  async 'a connection that is silent'(scene) {
    serve(scene);
    ask(scene, '/one');
    await until(scene, 500);
    for (const connection of scene.network.connections) connection.silence();
    await until(scene, 100_000);
  },
  async chance(scene) {
    scene.told.push(randomUUID(), String(Math.random()));
    const waited = delay(70_000).then(() => scene.told.push(`waited until ${scene.world.now()}`));
    await until(scene, 70_000);
    await waited;
  },
};

const told: Record<string, string[]> = {};
for (const [name, play] of Object.entries(scenes)) {
  const scene = open(3);
  await play(scene);
  told[name] = scene.told;
}
process.stdout.write(JSON.stringify(told), () => process.exit(0));
