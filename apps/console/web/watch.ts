import { effect, untracked } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';

/**
 * Runs something now, and again after each change of one of the signals; other signals that it reads do not matter.
 * @param run returns what ends it: before it runs again, and at the end
 * @returns ends it
 */
export function watch(
  signals: readonly ReadonlySignal<unknown>[],
  run: () => (() => void) | undefined,
): () => void {
  return effect(() => {
    // Reading a value subscribes to it.
    signals.forEach((signal) => signal.value);
    return untracked(run);
  });
}
