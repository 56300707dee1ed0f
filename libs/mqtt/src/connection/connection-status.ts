import { ReasonCodes } from 'mqtt';
import type { Logger } from 'pino';

export interface ConnectionStatusOptions {
  /** URL of the broker. */
  url: string;
  log: Logger;
}

/** Why connections end again and again. */
export function conflictOver(clientId: string): string {
  return `another client uses this MQTT_CLIENT_ID (${clientId}): the broker ends the connection of one when the other connects`;
}

/** Why no messages are received: for readiness, and in the log where it changes. */
export class ConnectionStatus {
  /** Of the broker, without path and credentials. */
  readonly address: string;
  readonly #log: Logger;
  #reason: string | undefined;
  #isConflictLogged = false;

  constructor({ url, log }: ConnectionStatusOptions) {
    const { protocol, host } = new URL(url);
    this.address = `${protocol}//${host}`;
    this.#log = log;
    this.#reason = `not connected to ${this.address}`;
  }

  /** Undefined while messages are received. */
  get reason(): string | undefined {
    return this.#reason;
  }

  subscribed(topics: readonly string[]): void {
    this.#reason = undefined;
    this.#log.info({ topics }, `subscribed at ${this.address}`);
  }

  /** The broker refuses a subscription. */
  refused(reason: string): void {
    this.#reason = reason;
    this.#log.error(reason);
  }

  /** Logs an error once, and again when it changes; an expected one only for debugging. */
  failed(reason: string, { isExpected }: { isExpected: boolean }): void {
    const message = `cannot connect to ${this.address}: ${reason}`;
    if (isExpected || this.#reason === message) this.#log.debug(message);
    else this.#log.warn(message);
    this.#reason = message;
  }

  /** MQTT 5 only: the broker ends the connection with a reason. */
  endedByBroker(reasonCode: number): void {
    const reason = ReasonCodes[reasonCode as keyof typeof ReasonCodes];
    this.#reason = `the broker ended the connection to ${this.address}: ${reason}`;
    this.#log.warn(this.#reason);
  }

  /** Another client keeps connecting with the same client identifier. */
  inConflict(clientId: string): void {
    const conflict = conflictOver(clientId);
    if (!this.#isConflictLogged) this.#log.error(conflict);
    this.#isConflictLogged = true;
    this.#reason = conflict;
  }

  /** The connection has ended, maybe for a reason that is known already. */
  closed(): void {
    if (this.#reason !== undefined) return;
    this.#reason = `the connection to ${this.address} was lost`;
    this.#log.warn(this.#reason);
  }
}
