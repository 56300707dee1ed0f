import { Rejection } from '../src/refusals/rejection.ts';

/** The rejection of the attempt. */
export function rejectionOf(attempt: () => unknown): Rejection {
  try {
    attempt();
  } catch (error) {
    if (error instanceof Rejection) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
