import compression from 'compression';
import onHeaders from 'on-headers';
import { codedTag } from './entity-tag.ts';
import type { Request, RequestHandler, Response } from 'express';

/** Compresses what is worth it, as far as the client takes it (ADR 0039 has why that is safe here). */
export function compress(): RequestHandler[] {
  return [
    (_request, response, next) => {
      response.vary('Accept-Encoding');
      // What is registered first is done last: by then the coding is known.
      onHeaders(response, () => tagCoding(response));
      next();
    },
    compression({ filter: isWorthIt }),
  ];
}

/** NDJSON has no entry in the library's list of types. */
function isWorthIt(request: Request, response: Response): boolean {
  const type = String(response.getHeader('Content-Type') ?? '');
  return type.startsWith('application/x-ndjson') || compression.filter(request, response);
}

function tagCoding(response: Response): void {
  const [coding, tag] = [response.getHeader('Content-Encoding'), response.getHeader('ETag')];
  if (typeof coding !== 'string' || typeof tag !== 'string') return;
  response.setHeader('ETag', codedTag(tag, coding));
}
