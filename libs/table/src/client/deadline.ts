/** Steps in which a timeout elapses. */
const steps = 10;

/**
 * Calls `expire` when `timeoutMs` have passed, counted in steps: however long the process did not run (CPU quota, a long
 * task), that is one step, so that a timeout tells of the other side and not of our own delay. What has arrived before
 * the last step is read before `expire` is called. @returns cancels it
 */
export function startDeadline(timeoutMs: number, expire: () => void): () => void {
  let step = 0;
  let last: NodeJS.Immediate | undefined;
  const timer = setInterval(() => {
    step += 1;
    if (step < steps) return;
    clearInterval(timer);
    // Node reads sockets between timers and immediates (nodejs.org, "The Node.js Event Loop").
    last = setImmediate(expire);
  }, timeoutMs / steps);
  return () => {
    clearInterval(timer);
    clearImmediate(last);
  };
}
