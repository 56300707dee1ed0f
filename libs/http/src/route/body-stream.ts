import type { z } from 'zod';

/** Declares a body that a route reads as a stream. */
export interface StreamedBody {
  /** The accepted media types; the schemas are for the OpenAPI document only, nothing is validated with them. */
  types: Readonly<Record<string, z.ZodType>>;
  /** After decompression. */
  maxBytes: number;
}

/** A body while it is received, with backpressure: the client waits while nothing is read. */
export interface BodyStream {
  /** Media type of this body: one of the declared ones. */
  type: string;
  /**
   * Can be read once. Throws a Problem: `payload-too-large` above the limit, `invalid-request`
   * where the body is truncated or not encoded as its headers say.
   */
  chunks: AsyncIterable<Buffer>;
}

export const emptyStream: BodyStream = { type: '', chunks: noChunks() };

async function* noChunks(): AsyncGenerator<Buffer> {
  // Empty.
}
