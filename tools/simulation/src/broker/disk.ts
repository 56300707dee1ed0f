import { emptySnapshot, takeSnapshot, withoutSince } from './snapshot.ts';
import type { BrokerContext } from './context.ts';
import type { Snapshot } from './snapshot.ts';

/** What a broker's next process finds of what this one had. */
export class Disk {
  #saved: Snapshot = emptySnapshot;

  /** A process begins with what is here; it saves itself from time to time, if the profile says so. */
  attach(context: BrokerContext): void {
    const { onKill } = context.profile.durability;
    if (typeof onKill === 'string' || !('savedEveryMs' in onKill)) return;
    context.gate.after(onKill.savedEveryMs, 'broker saves', () => {
      this.#saved = takeSnapshot(context);
      this.attach(context);
    });
  }

  /** The process ends. @returns what its successor begins with */
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
