/** Timer ticks in which a timeout elapses. */
const ticks = 10;

/**
 * Calls `expire` after `timeoutMs` of time in which this process runs. The time is counted in timer
 * ticks: a pause of the process (CPU quota, a long task) counts as one tick however long it is, so
 * a timeout means that the other side is slow. Data that has arrived before the last tick is read
 * before `expire` is called.
 * @returns cancels the deadline
 */
export function startDeadline(timeoutMs: number, expire: () => void): () => void {
  let tick = 0;
  let last: NodeJS.Immediate | undefined;
  const timer = setInterval(() => {
    tick += 1;
    if (tick < ticks) return;
    clearInterval(timer);
    // Node reads sockets between timers and immediates (nodejs.org, "The Node.js Event Loop").
    last = setImmediate(expire);
  }, timeoutMs / ticks);
  return () => {
    clearInterval(timer);
    clearImmediate(last);
  };
}
