import { effect } from '@preact/signals';
import { session } from './session.ts';

/** Whether requests of the page have a reader and a token. */
function isActive(): boolean {
  return document.visibilityState === 'visible' && session.peek().kind === 'ready';
}

/**
 * Calls a function repeatedly while the page is visible and the user is signed in, and at once after a pause.
 * @returns stops it
 */
export function repeatWhileActive(run: () => void, everyMs: number): () => void {
  let isDue = false;
  const runIfActive = (): void => {
    isDue = !isActive();
    if (!isDue) run();
  };
  const resume = (): void => {
    if (isDue) runIfActive();
  };
  const timer = setInterval(runIfActive, everyMs);
  document.addEventListener('visibilitychange', resume);
  const stopWatching = effect(() => {
    if (session.value.kind === 'ready') resume();
  });
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', resume);
    stopWatching();
  };
}
