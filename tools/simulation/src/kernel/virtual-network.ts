import { AsyncLocalStorage } from 'node:async_hooks';
import { currentWorld } from './current-world.ts';
import { VirtualProcess } from './virtual-process.ts';
import { VirtualSocket } from './virtual-socket.ts';
import type { EventEmitter } from 'node:events';
import type { Link } from './virtual-socket.ts';

interface Listener {
  server: EventEmitter;
  process: VirtualProcess | undefined;
  /** Runs in the context in which `listen` was called. */
  run: <Result>(work: () => Result) => Result;
}

/** The parts of a connection that faults use. */
export interface Connection {
  readonly port: number;
  /** Names of the processes at both ends. */
  readonly client: string;
  readonly server: string;
  /** Resets the connection at both ends. */
  cut(): void;
  /** Makes the connection half open: all later bytes are lost, without an error at either end. */
  silence(): void;
}

const address = '127.0.0.1';
/** Minimum and maximum latency in milliseconds. */
const latency = { low: 0.05, high: 0.5 };

/** All listening ports and connections of a world. */
export class VirtualNetwork {
  readonly #listeners = new Map<number, Listener>();
  readonly #connections = new Set<OpenConnection>();
  /** Open sockets, including those of killed processes, which are never closed. */
  readonly #sockets = new Set<VirtualSocket>();
  #lastPort = 20_000;

  get connections(): Connection[] {
    return [...this.#connections];
  }

  /** @returns the port; undefined if it is in use */
  listen(server: EventEmitter, wanted: number): number | undefined {
    const port = wanted === 0 ? ++this.#lastPort : wanted;
    if (this.#listeners.has(port)) return undefined;
    const process = VirtualProcess.current;
    const listener = { server, process, run: AsyncLocalStorage.snapshot() };
    this.#listeners.set(port, listener);
    process?.onKill(() => this.#listeners.delete(port));
    return port;
  }

  stopListening(port: number): void {
    this.#listeners.delete(port);
  }

  /** Releases all sockets at the end of the world. */
  end(): void {
    for (const socket of this.#sockets) socket.releaseParser();
    this.#sockets.clear();
  }

  #keep(socket: VirtualSocket): VirtualSocket {
    this.#sockets.add(socket);
    return socket.once('close', () => this.#sockets.delete(socket));
  }

  connect(port: number): VirtualSocket {
    const client = { address, port: ++this.#lastPort };
    const socket = this.#keep(new VirtualSocket(client, { address, port }));
    socket.connecting = true;
    const by = VirtualProcess.current;
    const fail = AsyncLocalStorage.bind(() => socket.destroy(refusal(port)));
    const connection = new OpenConnection(socket, by, port, (closed) => {
      this.#connections.delete(closed);
    });
    currentWorld().schedule(flightMs(), 'connection', () => {
      const listener = this.#listeners.get(port);
      if (socket.destroyed || by?.isAlive === false) return;
      if (listener === undefined) {
        (by === undefined ? fail : () => by.schedule(0, 'connection refused', fail))();
        return;
      }
      this.#connections.add(connection);
      this.#keep(connection.open(listener, client));
    });
    return socket;
  }
}

function refusal(port: number): Error {
  const at = { syscall: 'connect', address, port };
  const code = { code: 'ECONNREFUSED', errno: -111 };
  return Object.assign(new Error(`connect ECONNREFUSED ${address}:${port}`), code, at);
}

function flightMs(): number {
  return latency.low + currentWorld().random.fraction() * (latency.high - latency.low);
}

interface End {
  socket: VirtualSocket;
  process: VirtualProcess | undefined;
  run: <Result>(work: () => Result) => Result;
}

/** Bytes in flight that a connection buffers, as kernels do. */
const bufferBytes = 262_144;

class OpenConnection implements Connection {
  readonly port: number;
  readonly #client: End;
  readonly #onClose: (connection: OpenConnection) => void;
  #server: End | undefined;
  #isSilent = false;

  constructor(
    socket: VirtualSocket,
    process: VirtualProcess | undefined,
    port: number,
    onClose: (connection: OpenConnection) => void,
  ) {
    this.port = port;
    this.#client = { socket, process, run: AsyncLocalStorage.snapshot() };
    this.#onClose = onClose;
  }

  get client(): string {
    return this.#client.process?.name ?? 'world';
  }

  get server(): string {
    return this.#server?.process?.name ?? 'world';
  }

  /** @returns the server's end */
  open(
    { server, process, run }: Listener,
    client: { address: string; port: number },
  ): VirtualSocket {
    const socket = new VirtualSocket({ address, port: this.port }, client);
    socket.peer = this.#client.process?.identity;
    const end: End = { socket, process, run };
    this.#server = end;
    const there = new Direction(end, () => this.#isSilent);
    const back = new Direction(this.#client, () => this.#isSilent);
    socket.attach(this.#link(back));
    deliver(end, 'accepted', () => {
      Object.assign(socket, { server });
      server.emit('connection', socket);
    });
    deliver(this.#client, 'connected', () => {
      if (!this.#client.socket.destroyed) this.#client.socket.connected(this.#link(there));
    });
    // The end of a process closes its connections: the other end sees a reset.
    for (const [one, away] of [
      [this.#client, there],
      [end, back],
    ] as const) {
      const forget = one.process?.onKill(() => this.#end(away, true));
      one.socket.once('close', () => forget?.());
    }
    return socket;
  }

  cut(): void {
    for (const end of [this.#client, this.#server]) {
      if (end !== undefined) deliver(end, 'reset', () => end.socket.reset());
    }
  }

  silence(): void {
    this.#isSilent = true;
  }

  #link(away: Direction): Link {
    return {
      send: (chunk, taken) => away.send(chunk, taken),
      closed: (isReset) => this.#end(away, isReset),
    };
  }

  #end(away: Direction, isReset: boolean): void {
    this.#onClose(this);
    away.end(isReset);
  }
}

/** The bytes in flight to one end, in order. */
class Direction {
  readonly #to: End;
  readonly #isSilent: () => boolean;
  #arrivesAt = 0;
  #underWay = 0;
  #waiting: (() => void)[] = [];

  constructor(to: End, isSilent: () => boolean) {
    this.#to = to;
    this.#isSilent = isSilent;
  }

  send(chunk: Buffer | null, taken: () => void): void {
    const bytes = chunk?.length ?? 0;
    this.#underWay += bytes;
    this.#arrive('bytes', () => {
      this.#underWay -= bytes;
      this.#to.socket.receive(chunk);
      for (const waiting of this.#waiting.splice(0)) waiting();
    });
    if (this.#underWay <= bufferBytes) taken();
    else this.#waiting.push(AsyncLocalStorage.bind(taken));
  }

  end(isReset: boolean): void {
    this.#arrive('end of a connection', () => {
      if (isReset) this.#to.socket.reset();
      else this.#to.socket.receive(null);
    });
  }

  #arrive(label: string, work: () => void): void {
    const world = currentWorld();
    this.#arrivesAt = Math.max(this.#arrivesAt, world.now() + flightMs());
    world.schedule(this.#arrivesAt - world.now(), label, () => {
      if (!this.#isSilent()) deliver(this.#to, label, work);
    });
  }
}

/** Runs in the context of one end, unless its process has ended. */
function deliver({ process, run }: End, label: string, work: () => void): void {
  if (process === undefined) run(work);
  else run(() => process.deliver(label, work));
}
