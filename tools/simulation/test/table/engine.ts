import { Agent, request } from 'node:http';
import type { Document, DynamoDbResponse } from '@engawa/dynamodb-simulator/rules';

/** A client of a DynamoDB endpoint, with DynamoDB's JSON protocol. */
export class Engine {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(url: string) {
    this.#url = url;
  }

  ask(operation: string, input: Document): Promise<DynamoDbResponse> {
    const body = JSON.stringify(input);
    const headers = {
      'x-amz-target': `DynamoDB_20120810.${operation}`,
      'content-type': 'application/x-amz-json-1.0',
      'content-length': Buffer.byteLength(body),
      'x-amz-date': '20260101T000000Z',
      // The local engines require a signature, but do not check it.
      authorization:
        'AWS4-HMAC-SHA256 Credential=local/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
    };
    return new Promise((resolve, reject) => {
      const sent = request(this.#url, { method: 'POST', agent: this.#agent, headers });
      sent.on('error', reject);
      sent.on('response', (response) => {
        response.toArray().then((chunks) => {
          const text = Buffer.concat(chunks as Buffer[]).toString();
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(text || '{}') as Document });
        }, reject);
      });
      sent.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
