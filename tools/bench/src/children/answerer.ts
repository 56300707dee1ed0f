// The cost of an HTTP response alone: Node's own server with a prepared response.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { serve, usedCpu } from '../serve.ts';
import type { AddressInfo } from 'node:net';

export interface AnswererMethods {
  /** Sets the response to all requests. */
  setBody(input: { body: string }): Promise<void>;
  /** Microseconds of CPU since it started. */
  cpu(input: object): Promise<number>;
}

let text = '';
const server = createServer((_request, response) => {
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');

const methods: AnswererMethods = {
  setBody: ({ body }) => {
    text = body;
    return Promise.resolve();
  },
  cpu: () => Promise.resolve(usedCpu()),
};
serve(methods, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
