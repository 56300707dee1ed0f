import type { z } from 'zod';

/** What a route says of a body that it reads piece by piece. */
export interface StreamedBody {
  /** The media types that are taken; the schemas are for the contract alone, nothing is checked with them. */
  types: Readonly<Record<string, z.ZodType>>;
  /** Bytes, after decompression. */
  maxBytes: number;
}

/** A body as it comes in. What is not read yet waits with the client. */
export interface BodyStream {
  /** Of the declared media types, that of this body. */
  type: string;
  /**
   * To be read once. Ends with a Problem: `payload-too-large` once the limit is passed, `invalid-request` where the body
   * is not whole or not encoded as its headers say.
   */
  chunks: AsyncIterable<Buffer>;
}

export const emptyStream: BodyStream = { type: '', chunks: noChunks() };

async function* noChunks(): AsyncGenerator<Buffer> {
  // Nothing to give.
}
