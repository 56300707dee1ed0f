import { Socket } from 'node:net';
import { startDeadline } from './deadline.ts';
import { HttpHandler } from './http-handler.ts';
import type { Agent } from 'node:http';
import type { HttpResponse } from '@smithy/core/transport';
import type { HandleOptions, HttpHandlerOptions, TableRequest } from './http-handler.ts';

/**
 * Applies one timeout to the whole response, counted from the call, for which a socket must be free (see
 * BoundedClient). Time in which this process does not run does not count.
 */
export class DeadlineHandler extends HttpHandler {
  readonly #timeoutMs: number;

  constructor({ timeoutMs, ...options }: HttpHandlerOptions & { timeoutMs: number }) {
    super(options);
    this.#timeoutMs = timeoutMs;
  }

  override async handle(
    request: TableRequest,
    options: HandleOptions = {},
  ): Promise<{ response: HttpResponse }> {
    const abortSignal = options.abortSignal as AbortSignal | undefined;
    const abortion = new AbortController();
    const abort = () => abortion.abort(abortSignal?.reason);
    abortSignal?.addEventListener('abort', abort, { once: true });
    let timedOut: Error | undefined;
    const cancel = startDeadline(this.#timeoutMs, () => {
      timedOut = timeoutError('no response in time');
      abortion.abort(timedOut);
    });
    try {
      if (abortSignal?.aborted === true) abort();
      return await super.handle(request, { abortSignal: abortion.signal });
    } catch (error) {
      throw timedOut ?? error;
    } finally {
      cancel();
      abortSignal?.removeEventListener('abort', abort);
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
