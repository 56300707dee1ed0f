import compression from 'compression';
import onHeaders from 'on-headers';
import { eventStreamType } from '../events/send-events.ts';
import { codedTag } from './entity-tag.ts';
import type { Request, RequestHandler, Response } from 'express';

/** Compresses responses in a content coding that the client accepts (ADR 0039 has why that is safe here). */
export function compress(): RequestHandler {
  const compressed = compression({ filter: isCompressible });
  return (request, response, next) => {
    response.setHeader('Vary', 'Accept-Encoding');
    if (request.headers['accept-encoding'] === undefined) {
      // The library would prepare a compression, and then find that the client accepts none.
      response.flush = ignore;
      next();
      return;
    }
    // Listeners run in reverse order of registration, so the coding is known by then.
    onHeaders(response, () => tagCoding(response));
    compressed(request, response, next);
  };
}

function ignore(): void {
  return undefined;
}

/** The library's list of compressible types lacks NDJSON. A compressor would hold events back. */
function isCompressible(request: Request, response: Response): boolean {
  const type = String(response.getHeader('Content-Type') ?? '');
  if (type.startsWith(eventStreamType)) return false;
  return type.startsWith('application/x-ndjson') || compression.filter(request, response);
}

function tagCoding(response: Response): void {
  const [coding, tag] = [response.getHeader('Content-Encoding'), response.getHeader('ETag')];
  if (typeof coding !== 'string' || typeof tag !== 'string') return;
  response.setHeader('ETag', codedTag(tag, coding));
}
