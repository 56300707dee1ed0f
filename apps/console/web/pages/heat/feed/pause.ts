/** Waits, and as long as the page is in the background; ends when `closed` aborts. */
export async function pause(delayMs: number, closed: AbortSignal): Promise<void> {
  await untilAborted(closed, (resolve) => {
    const timer = setTimeout(resolve, delayMs);
    return () => clearTimeout(timer);
  });
  while (document.visibilityState === 'hidden' && !closed.aborted) {
    await untilAborted(closed, (resolve) => {
      document.addEventListener('visibilitychange', resolve);
      return () => document.removeEventListener('visibilitychange', resolve);
    });
  }
}

/**
 * Resolves when `begin` calls its argument, or the signal aborts. Leaves no listener at the signal, which lives as long
 * as the page: a page polls thousands of times an hour.
 * @param begin returns what ends the wait
 */
export async function untilAborted(
  signal: AbortSignal,
  begin: (resolve: () => void) => () => void,
): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const abort = (): void => resolve(undefined);
  const end = begin(abort);
  signal.addEventListener('abort', abort);
  await promise;
  end();
  signal.removeEventListener('abort', abort);
}
