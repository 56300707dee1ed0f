import type { Outcome } from './ledger.ts';
import type { Span } from './content.ts';

/** Milliseconds; longer than a service lets any request take. */
const timeoutMs = 60_000;

export interface Answer {
  outcome: Outcome;
  /** 0 where none came. */
  status: number;
  /** Of a problem: the last part of its type. */
  code: string;
  body: Record<string, unknown>;
  /** When it was asked, and answered; a write without an answer may still take place. */
  span: Span;
}

export interface Request {
  method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';
  path: string;
  body?: unknown;
}

/** Sends a request to a service and says what its answer means for what is stored. */
export async function send(url: string, { method, path, body }: Request): Promise<Answer> {
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
    const outcome = outcomeOf(status);
    const to = outcome === 'unknown' ? Infinity : performance.now();
    return { outcome, status, code: codeOf(status, answered), body: answered, span: { from, to } };
  } catch (error) {
    if (wasNotSent(error)) {
      const span = { from, to: performance.now() };
      return { ...none, outcome: 'refused', code: 'not-sent', span };
    }
    return { ...none, outcome: 'unknown', code: 'no-answer', span: { from, to: Infinity } };
  }
}

function outcomeOf(status: number): Outcome {
  if (status < 300) return 'taken';
  return status < 500 ? 'refused' : 'unknown';
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

/** What was asked, what was answered, and when (milliseconds). */
export function inOneLine(
  { method, path, body }: Request,
  { code, status, span: { from, to } }: Answer,
): string {
  const asked = body === undefined ? '' : ` ${JSON.stringify(body)}`;
  return `${from.toFixed(1)} to ${to.toFixed(1)}: ${method} ${path}${asked} -> ${status} ${code}`;
}
