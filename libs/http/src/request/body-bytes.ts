import { PassThrough } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Problem } from '@engawa/errors';
import { watchTransfer } from '../guards/watch-transfer.ts';
import type { Duplex } from 'node:stream';
import type { ExchangeRequest } from '../route/exchange.ts';
import type { TransferLimits } from '../guards/watch-transfer.ts';

/** The accepted content encodings, each with its decoder. */
const decoders = new Map<string, () => Duplex>([
  ['identity', () => new PassThrough()],
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

export interface BodyBytesOptions {
  /** After decompression. */
  maxBytes: number;
  transfer: TransferLimits;
}

/**
 * Reads the body of a request as a stream of decompressed chunks.
 * @throws Problem immediately where the headers show that the body cannot be accepted; while
 * reading: `payload-too-large`, `request-timeout`, or `invalid-request` where the body is truncated
 * or not encoded as its headers say
 */
export function bodyBytes(
  request: ExchangeRequest,
  options: BodyBytesOptions,
): AsyncGenerator<Buffer> {
  const encoding = request.get('content-encoding')?.toLowerCase() ?? 'identity';
  const decoder = decoders.get(encoding);
  if (decoder === undefined) {
    const detail = `The content encoding of the body must be one of ${[...decoders.keys()].join(', ')}.`;
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
 * Bytes by which a body may be larger on the wire than twice its decoded size, for headers and
 * empty blocks of the encoding. An endless body of empty blocks would never reach the limit of
 * decoded bytes.
 */
const maxOverhead = 131_072;

/** A body in its decoder; counts the bytes on both sides. */
class DecodedBody {
  readonly stream: Duplex;
  /** Decoded bytes that the reader has consumed. */
  bytes = 0;
  #onWire = 0;
  readonly #request: ExchangeRequest;
  readonly #endWatch: () => void;

  constructor(request: ExchangeRequest, stream: Duplex, transfer: TransferLimits) {
    this.#request = request;
    this.stream = stream;
    this.#endWatch = watchTransfer(transfer, {
      // While the service does not read because it is busy, the client is not slow.
      isWaiting: () =>
        request.readableFlowing === true && !request.complete && request.readableLength === 0,
      bytes: () => this.#onWire,
      onTooSlow: () => stream.destroy(tooSlow(transfer)),
    });
    // Not `pipeline`, which would close the connection on a decoding error.
    request.once('error', this.#failed).once('close', this.#disconnected).pipe(stream);
    request.on('data', this.#count);
  }

  close(): void {
    this.#endWatch();
    this.#request
      .off('error', this.#failed)
      .off('close', this.#disconnected)
      .off('data', this.#count);
  }

  readonly #failed = (error: Error) => this.stream.destroy(error);

  readonly #disconnected = () => {
    if (!this.#request.complete) this.stream.destroy(new Error('the client disconnected'));
  };

  readonly #count = (chunk: Buffer) => {
    this.#onWire += chunk.length;
    const taken = this.#onWire - this.stream.writableLength;
    const decoded = this.bytes + this.stream.readableLength;
    if (taken > 2 * decoded + maxOverhead) this.stream.destroy(badlyEncoded());
  };
}

function badlyEncoded(cause?: unknown): Problem {
  return unreadable('must be complete and encoded as its headers say', cause);
}

function tooSlow({ minBytesPerSecond }: TransferLimits): Problem {
  const detail = `The client must send the body at ${minBytesPerSecond} bytes a second or faster.`;
  return new Problem('request-timeout', detail);
}

function tooLarge(limit: number): Problem {
  return new Problem('payload-too-large', `The body is larger than ${limit} bytes.`);
}

export function unreadable(message: string, cause?: unknown): Problem {
  const fieldErrors = [{ path: 'body', message }];
  return new Problem('invalid-request', `body ${message}.`, { fieldErrors, cause });
}
