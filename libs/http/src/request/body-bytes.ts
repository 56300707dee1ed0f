import { PassThrough } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Problem } from '@engawa/errors';
import { watchTransfer } from '../guards/watch-transfer.ts';
import type { Duplex } from 'node:stream';
import type { ExchangeRequest } from '../route/exchange.ts';
import type { TransferLimits } from '../guards/watch-transfer.ts';

/** The content encodings that are taken, and what undoes them. */
const decoders = new Map<string, () => Duplex>([
  ['identity', () => new PassThrough()],
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

export interface BodyBytesOptions {
  /** Bytes, after decompression. */
  maxBytes: number;
  transfer: TransferLimits;
}

/**
 * The body of a request as it comes, decompressed.
 * @throws Problem at once, where the headers tell that it will not be taken; while it is read: `payload-too-large`,
 *   `request-timeout`, or `invalid-request` where it is not whole or not encoded as its headers say
 */
export function bodyBytes(
  request: ExchangeRequest,
  options: BodyBytesOptions,
): AsyncGenerator<Buffer> {
  const encoding = request.get('content-encoding')?.toLowerCase() ?? 'identity';
  const decoder = decoders.get(encoding);
  if (decoder === undefined) {
    const detail = 'The body is in a content encoding that is not taken here.';
    throw new Problem('unsupported-media-type', detail);
  }
  if (Number(request.get('content-length') ?? 0) > options.maxBytes)
    throw tooLarge(options.maxBytes);
  return read(request, decoder, options);
}

async function* read(
  request: ExchangeRequest,
  decoder: () => Duplex,
  { maxBytes: limit, transfer }: BodyBytesOptions,
): AsyncGenerator<Buffer> {
  const decoded = new DecodedBody(request, decoder(), transfer);
  try {
    for await (const chunk of decoded.stream) {
      decoded.bytes += (chunk as Buffer).length;
      if (decoded.bytes > limit) throw tooLarge(limit);
      yield chunk as Buffer;
    }
  } catch (error) {
    throw error instanceof Problem ? error : badlyEncoded(error);
  } finally {
    decoded.close();
  }
}

/**
 * Bytes by which a body may be larger on the wire than decoded, beside twice its size: headers, and blocks with nothing in
 * them. A body that is nothing else would be read for as long as its client likes, and would never reach its limit.
 */
const maxOverhead = 131_072;

/** A body on its way through its decoder, measured on both sides. */
class DecodedBody {
  readonly stream: Duplex;
  /** That the reader has taken. */
  bytes = 0;
  #onWire = 0;
  readonly #request: ExchangeRequest;
  readonly #endWatch: () => void;

  constructor(request: ExchangeRequest, stream: Duplex, transfer: TransferLimits) {
    this.#request = request;
    this.stream = stream;
    this.#endWatch = watchTransfer(transfer, {
      // Where we do not read, because of what we do with what we have read, the client is not to blame.
      isWaiting: () =>
        request.readableFlowing === true && !request.complete && request.readableLength === 0,
      bytes: () => this.#onWire,
      onTooSlow: () => stream.destroy(tooSlow(transfer)),
    });
    // Not `pipeline`, which closes the connection where the body is not what its headers say.
    request.once('error', this.#failed).once('close', this.#hungUp).pipe(stream);
    request.on('data', this.#count);
  }

  close(): void {
    this.#endWatch();
    this.#request.off('error', this.#failed).off('close', this.#hungUp).off('data', this.#count);
  }

  readonly #failed = (error: Error) => this.stream.destroy(error);

  readonly #hungUp = () => {
    if (!this.#request.complete) this.stream.destroy(new Error('the client hung up'));
  };

  readonly #count = (chunk: Buffer) => {
    this.#onWire += chunk.length;
    const taken = this.#onWire - this.stream.writableLength;
    const decoded = this.bytes + this.stream.readableLength;
    if (taken > 2 * decoded + maxOverhead) this.stream.destroy(badlyEncoded());
  };
}

function badlyEncoded(cause?: unknown): Problem {
  return unreadable('must be whole, and encoded as its headers say', cause);
}

function tooSlow({ minBytesPerSecond }: TransferLimits): Problem {
  const detail = `The body has to come in at ${minBytesPerSecond} bytes a second or more.`;
  return new Problem('request-timeout', detail);
}

function tooLarge(limit: number): Problem {
  return new Problem('payload-too-large', `The body is larger than ${limit} bytes.`);
}

export function unreadable(message: string, cause?: unknown): Problem {
  const fieldErrors = [{ path: 'body', message }];
  return new Problem('invalid-request', `body ${message}.`, { fieldErrors, cause });
}
