import type { World } from '../kernel/world.ts';
import type { Ledger } from './ledger.ts';
import type { Publication } from './message.ts';
import type { BrokerProfile } from './profile.ts';
import type { RetainedMessages } from './retained-messages.ts';
import type { Router } from './router.ts';
import type { Session } from './session.ts';
import type { Sessions } from './sessions.ts';
import type { TaskGate } from './task-gate.ts';

/** The state of a broker process; `gate` and `ledger` are shared by all processes. */
export interface BrokerContext {
  readonly world: World;
  readonly profile: BrokerProfile;
  readonly gate: TaskGate;
  readonly ledger: Ledger;
  readonly router: Router;
  readonly sessions: Sessions;
  readonly retained: RetainedMessages;
  /** Group members, as `client identifier, space, filter`, whose connection ended without a DISCONNECT. */
  readonly lostMembers: Set<string>;
  /** @param filter a subscription's filter */
  isDenied(filter: string, session?: Session): boolean;
  /** Reason code that rejects each CONNECT; undefined while connections are accepted. */
  refusal(): number | undefined;
  /** Creates an identifier for a client without one [MQTT-3.1.3-6]. */
  assignClientId(): string;
  /** @param publisher client identifier @returns whether any subscription matches */
  publish(publication: Publication, publisher: string | undefined): boolean;
}
