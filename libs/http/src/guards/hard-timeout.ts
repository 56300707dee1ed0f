import { Problem } from '@engawa/errors';
import type { Exchange } from '../route/exchange.ts';

/** Of the deadline that handlers mind themselves: who minds it has long answered by then. */
const factor = 3;

/**
 * The work, or the refusal after three deadlines of what does not mind its budget; its signal aborts then.
 * @throws Problem `deadline-exceeded`
 */
export async function withHardStop<Result>(
  { deadlineMs, exchange }: { deadlineMs: number | undefined; exchange: Exchange },
  work: () => Result | Promise<Result>,
): Promise<Result> {
  if (deadlineMs === undefined) return work();
  const stopped = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const problem = new Problem('deadline-exceeded', 'The answer has taken too long.');
    stopped.reject(problem); // first: aborted work ends in errors of its own
    exchange.stop(problem);
  }, deadlineMs * factor);
  try {
    return await Promise.race([stopped.promise, work()]);
  } finally {
    clearTimeout(timer);
  }
}
