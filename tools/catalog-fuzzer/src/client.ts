import type { Outcome } from './ledger.ts';
import type { Span } from './content.ts';

/** Milliseconds; longer than a service's request deadline. */
const timeoutMs = 60_000;

export interface HttpResponse {
  outcome: Outcome;
  /** 0 without a response. */
  status: number;
  /** The last part of a problem's type. */
  code: string;
  body: Record<string, unknown>;
  /** Times of request and response; a write without a response may still take place. */
  span: Span;
}

export interface Request {
  method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';
  path: string;
  body?: unknown;
}

/** Sends a request to a service. @returns the response's meaning for the stored data */
export async function send(url: string, { method, path, body }: Request): Promise<HttpResponse> {
  const from = performance.now();
  const none = { status: 0, body: {} };
  try {
    const response = await fetch(url + path, {
      method,
      signal: AbortSignal.timeout(timeoutMs),
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    const text = await response.text();
    const answered = JSON.parse(text || '{}') as Record<string, unknown>;
    const { status } = response;
    const code = codeOf(status, answered);
    const outcome = outcomeOf(status, code);
    const to = outcome === 'unknown' ? Infinity : performance.now();
    return { outcome, status, code, body: answered, span: { from, to } };
  } catch (error) {
    if (wasNotSent(error)) {
      const span = { from, to: performance.now() };
      return { ...none, outcome: 'refused', code: 'not-sent', span };
    }
    return { ...none, outcome: 'unknown', code: 'no-answer', span: { from, to: Infinity } };
  }
}

/** After a lost lock a bulk request may have written other entities, as after a failure of the service. */
function outcomeOf(status: number, code: string): Outcome {
  if (status < 300) return 'taken';
  return status < 500 && code !== 'too-many-conflicts' ? 'refused' : 'unknown';
}

function codeOf(status: number, body: Record<string, unknown>): string {
  if (status < 300) return 'taken';
  const { type = `/${status}` } = body as { type?: string };
  return type.slice(type.lastIndexOf('/') + 1);
}

function wasNotSent(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string } };
  return cause?.code === 'ECONNREFUSED';
}

/** Request, response and their times in milliseconds, as text. */
export function inOneLine(
  { method, path, body }: Request,
  { code, status, span: { from, to } }: HttpResponse,
): string {
  const asked = body === undefined ? '' : ` ${JSON.stringify(body)}`;
  return `${from.toFixed(1)} to ${to.toFixed(1)}: ${method} ${path}${asked} -> ${status} ${code}`;
}
