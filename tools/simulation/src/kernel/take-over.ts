import { createRequire, syncBuiltinESMExports } from 'node:module';
import { currentWorld, monotonicClock } from './current-world.ts';
import { VirtualDate, virtualHrtime } from './virtual-clock.ts';
import { VirtualNetwork } from './virtual-network.ts';
import { virtualCrypto, virtualWebCrypto } from './virtual-randomness.ts';
import { VirtualSocket } from './virtual-socket.ts';
import { VirtualWorker } from './virtual-thread.ts';
import { virtualTimeoutSignal, virtualTimerPromises, virtualTimers } from './virtual-timers.ts';
import type * as fs from 'node:fs';
import type { Server } from 'node:net';

type Builtin = Record<string, unknown>;

/** `require` instead of `import`: module namespaces are read-only, and imports of builtins copy these objects. */
const builtin = createRequire(import.meta.url) as (name: string) => Builtin;

/** The machine's own functions, which other code cannot reach after `takeOver`. */
const real = { setImmediate, now: performance.now.bind(performance) };

/** Resolves after all microtasks and immediates of past events have run. */
export function settle(): Promise<void> {
  return new Promise((resolve) => {
    real.setImmediate(resolve);
  });
}

/** Milliseconds of the machine's monotonic clock, for reports only. */
export function machineClock(): number {
  return real.now();
}

let network = new VirtualNetwork();

/** Makes a network the source of connections of this process. */
export function enterNetwork(entered: VirtualNetwork): void {
  network = entered;
}

/**
 * Replaces time, random numbers, connections and threads of this process by those of the world.
 * Call it before any other import, since modules may copy functions of builtins when they are
 * loaded.
 */
export function takeOver(): void {
  takeTime();
  takeChance();
  takeConnections();
  builtin('node:worker_threads')['Worker'] = VirtualWorker;
  takeFiles();
  takeMeasurements();
  syncBuiltinESMExports();
}

function takeTime(): void {
  Object.assign(globalThis, virtualTimers, { Date: VirtualDate });
  Object.assign(builtin('node:timers'), virtualTimers);
  Object.assign(builtin('node:timers/promises'), virtualTimerPromises);
  AbortSignal.timeout = virtualTimeoutSignal;
  performance.now = monotonicClock;
  Object.defineProperty(process, 'hrtime', { value: virtualHrtime });
}

function takeChance(): void {
  Math.random = () => currentWorld().random.fraction();
  Object.assign(builtin('node:crypto'), virtualCrypto);
  for (const [name, value] of Object.entries(virtualWebCrypto)) {
    Object.defineProperty(globalThis.crypto, name, { value });
  }
}

interface Address {
  port?: number | string | null;
}

/** A server with the properties that the patched methods add. */
type VirtualServer = Server & { virtualPort?: number; virtualSockets?: Set<VirtualSocket> };

interface IdleCloser {
  closeIdleConnections: (this: VirtualServer) => void;
}

interface Destroyable {
  destroy: (this: Destroyable) => Destroyable;
}

function takeConnections(): void {
  const net = builtin('node:net') as Builtin & { Server: { prototype: Server }; Socket: object };
  const connect = (...given: unknown[]) => {
    const [first] = given;
    const { port } = (typeof first === 'object' ? first : { port: first }) as Address;
    const socket = network.connect(Number(port));
    const callback = given.find((value) => typeof value === 'function');
    if (callback !== undefined) socket.once('connect', callback as () => void);
    return socket;
  };
  Object.assign(net, { connect, createConnection: connect });
  const isReal = Function.prototype[Symbol.hasInstance];
  Object.defineProperty(net.Socket, Symbol.hasInstance, {
    value: (socket: unknown) => socket instanceof VirtualSocket || isReal.call(net.Socket, socket),
  });
  const http = builtin('node:http') as unknown as {
    Agent: { prototype: object };
    Server: { prototype: IdleCloser };
  };
  Object.assign(http.Agent.prototype, { createConnection: connect });
  closeInOrder(http.Server.prototype);
  Object.assign(net.Server.prototype, { listen, address, close });
}

/**
 * An HTTP server that ends closes its idle connections in the order of their addresses in memory; in a world, in the
 * order of their beginning.
 */
function closeInOrder(server: IdleCloser): void {
  const { closeIdleConnections } = server;
  const sockets = VirtualSocket.prototype as Destroyable;
  server.closeIdleConnections = function () {
    const idle = new Set<unknown>();
    const { destroy } = sockets;
    sockets.destroy = function () {
      idle.add(this);
      return this;
    };
    try {
      closeIdleConnections.call(this);
    } finally {
      sockets.destroy = destroy;
    }
    for (const socket of this.virtualSockets ?? []) if (idle.has(socket)) socket.destroy();
  };
}

function listen(this: VirtualServer, ...given: unknown[]): VirtualServer {
  const [first] = given;
  const { port } = (typeof first === 'object' ? first : { port: first }) as Address;
  const callback = given.find((value) => typeof value === 'function');
  if (callback !== undefined) this.once('listening', callback as () => void);
  const got = network.listen(this, Number(port ?? 0));
  if (got === undefined) {
    const code = { code: 'EADDRINUSE', syscall: 'listen', port };
    const error = Object.assign(new Error(`listen EADDRINUSE: port ${String(port)}`), code);
    virtualTimers.setImmediate(() => this.emit('error', error));
    return this;
  }
  const sockets = new Set<VirtualSocket>();
  this.on('connection', (socket: unknown) => {
    if (!(socket instanceof VirtualSocket)) return;
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      this.emit('connection closed');
    });
  });
  this.virtualPort = got;
  this.virtualSockets = sockets;
  Object.defineProperty(this, 'listening', { value: true, configurable: true });
  virtualTimers.setImmediate(() => this.emit('listening'));
  return this;
}

function address(this: VirtualServer) {
  return { address: '127.0.0.1', family: 'IPv4', port: this.virtualPort };
}

/** Calls back once the last connection has ended, as Node.js does. */
function close(this: VirtualServer, callback?: () => void): VirtualServer {
  if (this.virtualPort !== undefined) network.stopListening(this.virtualPort);
  Object.defineProperty(this, 'listening', { value: false, configurable: true });
  let isClosed = false;
  const endWhenEmpty = () => {
    if (isClosed || (this.virtualSockets?.size ?? 0) > 0) return;
    isClosed = true;
    this.emit('close');
    callback?.();
  };
  this.on('connection closed', endWhenEmpty);
  virtualTimers.setImmediate(endWhenEmpty);
  return this;
}

/** Reads files synchronously, since asynchronous reads take real time, and opens databases in memory. */
function takeFiles(): void {
  const { readFileSync } = builtin('node:fs') as unknown as Pick<typeof fs, 'readFileSync'>;
  Object.assign(builtin('node:fs/promises'), {
    readFile: (...given: Parameters<typeof readFileSync>) =>
      new Promise((resolve) => {
        resolve(readFileSync(...given));
      }),
  });
  const sqlite = builtin('node:sqlite') as unknown as {
    DatabaseSync: new (path: string, options?: object) => object;
  };
  const Real = sqlite.DatabaseSync;
  sqlite.DatabaseSync = class DatabaseSync extends Real {
    constructor(_path: string, options: object = {}) {
      super(':memory:', options);
    }
  };
}

/** Garbage collection and event loop belong to the machine, so virtual processes do not observe them. */
function takeMeasurements(): void {
  const hooks = builtin('node:perf_hooks') as Builtin & { createHistogram: () => object };
  hooks['PerformanceObserver'] = class PerformanceObserver {
    static readonly supportedEntryTypes: readonly string[] = [];
    observe(): void {
      // Observers never get entries.
    }
    disconnect(): void {
      // There is no connection to close.
    }
  };
  const never = { enable: () => true, disable: () => true };
  hooks['monitorEventLoopDelay'] = () => Object.assign(hooks.createHistogram(), never);
}
