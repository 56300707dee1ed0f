import { Rejection } from '../src/refusals/rejection.ts';

/** What the attempt is refused with. */
export function rejectionOf(attempt: () => unknown): Rejection {
  try {
    attempt();
  } catch (error) {
    if (error instanceof Rejection) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
