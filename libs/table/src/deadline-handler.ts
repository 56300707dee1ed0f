import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { IncomingMessage } from 'node:http';
import type { NodeHttpHandlerOptions } from '@smithy/node-http-handler';

type Handle = NodeHttpHandler['handle'];

/** Holds the whole answer to `requestTimeout`; the handler itself looks no further than its first byte. */
export class DeadlineHandler extends NodeHttpHandler {
  readonly #timeout: number;

  constructor(options: NodeHttpHandlerOptions & { requestTimeout: number }) {
    super(options);
    this.#timeout = options.requestTimeout;
  }

  override async handle(...[request, options]: Parameters<Handle>): ReturnType<Handle> {
    const start = performance.now();
    const answer = await super.handle(request, options);
    const body = answer.response.body as IncomingMessage;
    const timer = setTimeout(
      () => body.destroy(Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' })),
      Math.max(0, start + this.#timeout - performance.now()),
    );
    body.once('close', () => clearTimeout(timer));
    return answer;
  }
}
