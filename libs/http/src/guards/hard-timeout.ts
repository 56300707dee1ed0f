import { Problem } from '@engawa/errors';
import type { Exchange } from '../route/exchange.ts';

/** Multiple of the deadline that handlers observe themselves; such a handler has long responded by then. */
const factor = 3;

/**
 * Ends work that ignores its budget: after three times the deadline its signal aborts.
 * @throws Problem `deadline-exceeded`
 */
export async function withHardTimeout<Result>(
  { deadlineMs, exchange }: { deadlineMs: number | undefined; exchange: Exchange },
  work: () => Result | Promise<Result>,
): Promise<Result> {
  if (deadlineMs === undefined) return work();
  const stopped = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const problem = new Problem('deadline-exceeded', 'The request has taken too long.');
    stopped.reject(problem); // before the abort, which makes the work fail with another error
    exchange.stop(problem);
  }, deadlineMs * factor);
  try {
    return await Promise.race([stopped.promise, work()]);
  } finally {
    clearTimeout(timer);
  }
}
