import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span of OTLP's JSON encoding, with its attributes as an object. */
export interface CollectedSpan {
  name: string;
  /** enum SpanKind: 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  traceId: string;
  spanId: string;
  /** Absent in a root span. */
  parentSpanId?: string;
  /** enum StatusCode: 0 (or absent) unset, 1 ok, 2 error. */
  status: { code?: number };
  attributes: Record<string, unknown>;
  events: { name: string }[];
  links: { traceId: string; spanId: string }[];
  /** Resource attributes of the sending process. */
  resource: Record<string, unknown>;
}

/** oneof of OTLP's AnyValue; an integer may be a text. */
interface AnyValue {
  stringValue?: string;
  boolValue?: boolean;
  intValue?: number | string;
  doubleValue?: number;
  arrayValue?: { values: AnyValue[] };
}

type KeyValues = { key: string; value: AnyValue }[];

interface Export {
  resourceSpans: {
    resource: { attributes: KeyValues };
    scopeSpans: {
      spans: (Omit<CollectedSpan, 'attributes' | 'resource'> & { attributes?: KeyValues })[];
    }[];
  }[];
}

/**
 * Receives spans by OTLP over HTTP as JSON (`OTEL_EXPORTER_OTLP_PROTOCOL=http/json`) on a loopback socket, or fails as
 * `answer` does.
 */
export class OtlpCollector {
  readonly spans: CollectedSpan[] = [];
  /** Paths of the received export requests. */
  readonly paths: (string | undefined)[] = [];
  readonly #server: Server;

  constructor(answer?: RequestListener) {
    this.#server = createServer((request, response) => {
      this.paths.push(request.url);
      if (answer !== undefined) {
        answer(request, response);
        return;
      }
      void json(request).then((body) => {
        this.#take(body as Export);
        response.setHeader('content-type', 'application/json').end('{}');
      });
    });
  }

  /** Starts listening. @returns the endpoint */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this.endpoint;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  #take({ resourceSpans }: Export): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const own = attributesOf(resource.attributes);
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        const attributes = attributesOf(span.attributes);
        this.spans.push({ ...span, attributes, resource: own });
      }
    }
  }
}

function attributesOf(attributes: KeyValues = []): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));
}

function valueOf(value: AnyValue): unknown {
  if (value.arrayValue !== undefined) return value.arrayValue.values.map(valueOf);
  if (value.intValue !== undefined) return Number(value.intValue);
  return value.stringValue ?? value.boolValue ?? value.doubleValue;
}
