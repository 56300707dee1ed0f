import { Outbox } from './outbox.ts';
import { Session } from './session.ts';
import type { World } from '../kernel/world.ts';
import type { Ledger } from './ledger.ts';
import type { Publication } from './message.ts';
import type { BrokerProfile } from './profile.ts';
import type { Router } from './router.ts';
import type { Will } from './session.ts';
import type { TaskGate } from './task-gate.ts';

export interface SessionsOptions {
  world: World;
  profile: BrokerProfile;
  gate: TaskGate;
  ledger: Ledger;
  router: Router;
  publish: (publication: Publication, publisher: string) => void;
}

/** All sessions by client identifier; expires sessions and publishes wills. */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #byClientId = new Map<string, Session>();

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  get(clientId: string): Session | undefined {
    return this.#byClientId.get(clientId);
  }

  all(): Session[] {
    return [...this.#byClientId.values()];
  }

  create(clientId: string): Session {
    const { world, profile, ledger, router } = this.#options;
    const onRoom = () => {
      if (profile.groups.queuedBy === 'member') return;
      for (const filter of session.subscriptions.keys()) router.group(filter)?.pump();
    };
    const session = new Session(clientId, new Outbox({ world, profile, ledger, clientId, onRoom }));
    this.#byClientId.set(clientId, session);
    return session;
  }

  /**
   * Handles the loss of a session's connection.
   * @param hasWill whether the will is published
   * @param minWillDelayMs minimum delay of the will, which is published at the session's end at the latest
   */
  disconnected(session: Session, hasWill: boolean, minWillDelayMs: number): void {
    session.connection = undefined;
    session.connectedAt = undefined;
    session.disconnectedAt = this.#options.world.now();
    this.#options.router.disconnected(session);
    if (!hasWill) session.will = undefined;
    const { will } = session;
    // At the end of the session at the latest (MQTT 5, 3.1.3.2.2).
    const willDelayMs = Math.min(Math.max(minWillDelayMs, will?.delayMs ?? 0), session.expiryMs);
    if (will !== undefined)
      this.#whileGone(session, willDelayMs, 'publish a will', () =>
        this.#publishWill(session, will),
      );
    this.expireLater(session, session.expiryMs);
  }

  /** Ends the session after `delayMs` without a connection [MQTT-4.1.0-2]. */
  expireLater(session: Session, delayMs: number): void {
    this.#whileGone(session, delayMs, 'session expiry', () => this.end(session));
  }

  end(session: Session): void {
    this.#byClientId.delete(session.clientId);
    this.#options.router.sessionEnded(session);
    if (session.will !== undefined) this.#publishWill(session, session.will);
  }

  /** Runs the task after `delayMs`, unless the client has reconnected. */
  #whileGone(session: Session, delayMs: number, label: string, run: () => void): void {
    if (delayMs === Infinity) return;
    if (delayMs === 0) {
      run();
      return;
    }
    const { disconnectedAt } = session;
    this.#options.gate.after(delayMs, label, () => {
      const isSame = this.#byClientId.get(session.clientId) === session;
      if (isSame && session.disconnectedAt === disconnectedAt) run();
    });
  }

  #publishWill(session: Session, will: Will): void {
    if (session.will !== will) return;
    session.will = undefined;
    this.#options.publish(will.publication, session.clientId);
  }
}
