import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface Span {
  name: string;
  /** 2 is a server's span (OTLP, enum SpanKind). */
  kind: number;
  traceId: string;
  spanId: string;
}

interface Export {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: Span[] }[];
  }[];
}

/** Takes spans by OTLP over HTTP, as JSON, on a loopback socket. */
export class Collector {
  readonly spans: Span[] = [];
  readonly services = new Set<string | undefined>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      void json(request).then((body) => {
        this.#take(body as Export);
        response.setHeader('content-type', 'application/json').end('{}');
      });
    });
  }

  /** Starts to listen; resolves to the endpoint to send to. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  #take({ resourceSpans }: Export): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const name = resource.attributes.find(({ key }) => key === 'service.name');
      this.services.add(name?.value.stringValue);
      this.spans.push(...scopeSpans.flatMap(({ spans }) => spans));
    }
  }
}
