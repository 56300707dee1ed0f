import { emptySnapshot, takeSnapshot, withoutSince } from './snapshot.ts';
import type { BrokerContext } from './context.ts';
import type { Snapshot } from './snapshot.ts';

/** The snapshot that the broker's next process restores. */
export class Disk {
  #saved: Snapshot = emptySnapshot;

  /** Attaches a process, which saves snapshots periodically if the profile says so. */
  attach(context: BrokerContext): void {
    const { onKill } = context.profile.durability;
    if (typeof onKill === 'string' || !('savedEveryMs' in onKill)) return;
    context.gate.after(onKill.savedEveryMs, 'broker saves', () => {
      this.#saved = takeSnapshot(context);
      this.attach(context);
    });
  }

  /**
   * Detaches the process, which ends.
   * @returns the snapshot that the next process restores
   */
  detach(context: BrokerContext, how: 'clean' | 'kill'): Snapshot {
    this.#saved = this.#leftBy(context, how);
    return this.#saved;
  }

  #leftBy(context: BrokerContext, how: 'clean' | 'kill'): Snapshot {
    const { onRestart, onKill } = context.profile.durability;
    const rule = how === 'clean' ? onRestart : onKill;
    if (rule === 'forgotten') return emptySnapshot;
    if (rule === 'kept') return takeSnapshot(context);
    if ('savedEveryMs' in rule) return this.#saved;
    return withoutSince(takeSnapshot(context), context.world.now() - rule.lostLastMs);
  }
}
