import { Socket } from 'node:net';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { startDeadline } from './deadline.ts';
import type { Agent, IncomingMessage } from 'node:http';
import type { NodeHttpHandlerOptions } from '@smithy/node-http-handler';

type Handle = NodeHttpHandler['handle'];

/**
 * Holds the whole answer to one timeout, counted from the call: the caller provides a socket. The
 * handler of the SDK looks no further than the first byte, and counts time in which our own process does not run.
 */
export class DeadlineHandler extends NodeHttpHandler {
  readonly #timeoutMs: number;

  constructor({ timeoutMs, ...options }: NodeHttpHandlerOptions & { timeoutMs: number }) {
    super(options);
    this.#timeoutMs = timeoutMs;
  }

  override async handle(...[request, options]: Parameters<Handle>): ReturnType<Handle> {
    const ending = new AbortController();
    const signal = options?.abortSignal as AbortSignal | undefined;
    const abort = () => ending.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    let late: Error | undefined;
    let body: IncomingMessage | undefined;
    const cancel = startDeadline(this.#timeoutMs, () => {
      late = timeoutError('no answer in time');
      if (body === undefined) ending.abort();
      else body.destroy(late);
    });
    const finish = () => {
      cancel();
      signal?.removeEventListener('abort', abort);
    };
    try {
      if (signal?.aborted === true) abort();
      const answer = await super.handle(request, { ...options, abortSignal: ending.signal });
      body = answer.response.body as IncomingMessage;
      body.once('close', finish);
      return answer;
    } catch (error) {
      finish();
      throw late ?? error;
    }
  }
}

/** Ends each of the agent's sockets that is not connected in time. @returns the agent */
export function limitConnecting<AnyAgent extends Agent>(
  agent: AnyAgent,
  timeoutMs: number,
): AnyAgent {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const socket = connect(options, callback);
    if (socket instanceof Socket && socket.connecting) {
      const cancel = startDeadline(timeoutMs, () => socket.destroy(timeoutError('no connection')));
      socket.once('connect', cancel).once('close', cancel);
    }
    return socket;
  };
  return agent;
}

function timeoutError(message: string): Error {
  return Object.assign(new Error(message), { name: 'TimeoutError', code: 'ETIMEDOUT' });
}
