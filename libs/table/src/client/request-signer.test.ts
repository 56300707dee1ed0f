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

it('signs like the SDK', async () => {
  const signers = new Map<string, RequestSigner>();
  await fc.assert(
    fc.asyncProperty(
      fc.record({ accessKeyId: text, secretAccessKey: text }),
      fc.option(text, { nil: undefined }),
      fc.constantFrom('eu-west-1', 'local', 'us-gov-west-1'),
      fc.string({ unit: 'binary' }),
      // Several days, so that the key of one day is not used on another.
      fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 0, 4) }),
      async (access, sessionToken, region, content, time) => {
        const credentials = { ...access, ...(sessionToken !== undefined && { sessionToken }) };
        const name = JSON.stringify([credentials, region]);
        const signer = signers.get(name) ?? new RequestSigner(credentials, region);
        signers.set(name, signer);
        const body = Buffer.from(content);
        const target = 'DynamoDB_20120810.BatchWriteItem';
        const date = new Date(time);
        const host = 'dynamodb.example:8000';
        const headers = signer.headers({ host, path: '/', target, body, date });

        const sdk = new SignatureV4({
          ...{ credentials, region, service: 'dynamodb', sha256: Sha256, applyChecksum: false },
        });
        const unsigned = {
          ...{ host, 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': target },
        };
        const request = new HttpRequest({ method: 'POST', path: '/', headers: unsigned, body });
        const expected = await sdk.sign(request, { signingDate: date });
        expect(headers).toEqual(expected.headers);
      },
    ),
  );
});
