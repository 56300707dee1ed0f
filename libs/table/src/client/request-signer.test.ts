import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { HttpRequest } from '@smithy/core/transport';
import fc from 'fast-check';
import { RequestSigner } from './request-signer.ts';
import type { Checksum, SourceData } from '@smithy/types';

/** The SDK's hash functions, on Node's. */
class Sha256 implements Checksum {
  readonly #hash;

  constructor(secret?: SourceData) {
    this.#hash =
      secret === undefined ? createHash('sha256') : createHmac('sha256', secret as Uint8Array);
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }

  reset(): void {
    throw new Error('the SDK makes a new hash in place of a reset');
  }
}

const text = fc.stringMatching(/^[A-Za-z0-9/+=]{1,60}$/);

const dayMs = 86_400_000;

it('signs like the SDK, also on a later day', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({ accessKeyId: text, secretAccessKey: text }),
      fc.option(text, { nil: undefined }),
      fc.constantFrom('eu-west-1', 'local', 'us-gov-west-1'),
      fc.string({ unit: 'binary' }),
      fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 11, 31) }),
      async (access, sessionToken, region, content, time) => {
        const credentials = { ...access, ...(sessionToken !== undefined && { sessionToken }) };
        const body = Buffer.from(content);
        const target = 'DynamoDB_20120810.BatchWriteItem';
        const host = 'dynamodb.example:8000';
        const signer = new RequestSigner(credentials, region);
        const sdk = new SignatureV4({
          ...{ credentials, region, service: 'dynamodb', sha256: Sha256, applyChecksum: false },
        });
        const unsigned = {
          ...{ host, 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': target },
        };
        for (const date of [new Date(time), new Date(time + dayMs)]) {
          const headers = signer.headers({ host, path: '/', target, body: content, date });
          const request = new HttpRequest({ method: 'POST', path: '/', headers: unsigned, body });
          const expected = await sdk.sign(request, { signingDate: date });
          expect(headers).toEqual(expected.headers);
        }
      },
    ),
  );
});
