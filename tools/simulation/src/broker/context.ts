import type { World } from '../kernel/world.ts';
import type { Ledger } from './ledger.ts';
import type { Publication } from './message.ts';
import type { BrokerProfile } from './profile.ts';
import type { RetainedMessages } from './retained-messages.ts';
import type { Router } from './router.ts';
import type { Session } from './session.ts';
import type { Sessions } from './sessions.ts';
import type { TaskGate } from './task-gate.ts';

/** What the broker's process has: one for each process, apart from `gate` and `ledger`, which stay. */
export interface BrokerContext {
  readonly world: World;
  readonly profile: BrokerProfile;
  readonly gate: TaskGate;
  readonly ledger: Ledger;
  readonly router: Router;
  readonly sessions: Sessions;
  readonly retained: RetainedMessages;
  /** Members of groups, as `client identifier, space, filter`, that went without a DISCONNECT. */
  readonly lostMembers: Set<string>;
  /** @param filter of a subscription */
  isDenied(filter: string, session?: Session): boolean;
  /** Reason code that each CONNECT is refused with, if it is. */
  refusal(): number | undefined;
  /** An identifier for a client that has none [MQTT-3.1.3-6]. */
  assignClientId(): string;
  /** @param publisher client identifier @returns whether any subscription matches */
  publish(publication: Publication, publisher: string | undefined): boolean;
}
