import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Forwards GET requests, and cuts the first responses after these numbers of bytes; removes used
 * numbers from `cuts`.
 */
export async function startCuttingProxy(target: string, cuts: number[]) {
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const { accept } = request.headers;
    get(target + (request.url ?? ''), { headers: { ...(accept && { accept }) } }, (answer) => {
      forward(answer, response, cuts).catch((error: unknown) => response.destroy(error as Error));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

async function forward(answer: IncomingMessage, response: ServerResponse, cuts: number[]) {
  response.writeHead(answer.statusCode ?? 502);
  const [cut = Infinity] = cuts;
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    await new Promise((done) => response.write(chunk.subarray(0, cut - bytes), done));
    bytes += chunk.length;
    if (bytes < cut) continue;
    cuts.shift();
    response.destroy();
    return;
  }
  response.end();
}
