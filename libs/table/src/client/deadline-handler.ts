import { Socket } from 'node:net';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { startDeadline } from './deadline.ts';
import type { Agent, IncomingMessage } from 'node:http';
import type { NodeHttpHandlerOptions } from '@smithy/node-http-handler';

type Handle = NodeHttpHandler['handle'];

/**
 * Applies one timeout to the whole response, counted from the call, for which a socket must be free
 * (see BoundedClient). The SDK's handler stops its timeout at the first byte and counts time in
 * which this process does not run.
 */
export class DeadlineHandler extends NodeHttpHandler {
  readonly #timeoutMs: number;

  constructor({ timeoutMs, ...options }: NodeHttpHandlerOptions & { timeoutMs: number }) {
    super(options);
    this.#timeoutMs = timeoutMs;
  }

  override async handle(...[request, options]: Parameters<Handle>): ReturnType<Handle> {
    const abortion = new AbortController();
    const signal = options?.abortSignal as AbortSignal | undefined;
    const abort = () => abortion.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    let timedOut: Error | undefined;
    let body: IncomingMessage | undefined;
    const cancel = startDeadline(this.#timeoutMs, () => {
      timedOut = timeoutError('no response in time');
      if (body === undefined) abortion.abort();
      else body.destroy(timedOut);
    });
    const finish = () => {
      cancel();
      signal?.removeEventListener('abort', abort);
    };
    try {
      if (signal?.aborted === true) abort();
      const result = await super.handle(request, { ...options, abortSignal: abortion.signal });
      body = result.response.body as IncomingMessage;
      body.once('close', finish);
      return result;
    } catch (error) {
      finish();
      throw timedOut ?? error;
    }
  }
}

/** Destroys each socket of the agent that does not connect within the timeout. @returns the agent */
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
