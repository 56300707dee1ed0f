import { kindOf } from '@engawa/model';
import { DeadLettersLedger } from '../../oracles/dead-letters-ledger.ts';
import { MessageOutcomes } from '../../oracles/message-outcomes.ts';
import { untilAcknowledged } from '../../oracles/progress.ts';
import { ReadingsLedger } from '../../oracles/readings-ledger.ts';
import { describe } from '../../world/gateway.ts';
import { Violation } from '../../world/violation.ts';
import type { Fields } from '@engawa/model';
import type { Broker, Message, Publication } from '../../broker/index.ts';
import type {
  ExpectedReading,
  MessageOutcome,
  Retention,
} from '../../oracles/expected-readings.ts';
import type { Scale } from '../../world/scale.ts';
import type { ActorContext } from '../actor.ts';
import type { DeviceMessage } from './device-message.ts';

export interface PublisherOptions extends Omit<ActorContext, 'random' | 'steps'> {
  broker: Broker;
  scale: Scale;
  /** Whether a replica opens the session of this client identifier. */
  isServed: (clientId: string) => boolean;
}

/**
 * Milliseconds by which the time of a reading without a time may differ from its publication,
 * because of replicas' clocks, and of redeliveries by the broker.
 */
export const tolerance = { earlierMs: 60_000, laterMs: 3 * 86_400_000 };
const dayMs = 86_400_000;
/** Maximum characters of a payload in the story. */
const shownLength = 200;

/** Sends the messages of devices, and notes what has to be stored for them. */
export class Publisher {
  readonly ledger = new ReadingsLedger(tolerance);
  readonly deadLetters = new DeadLettersLedger();
  readonly outcomes: MessageOutcomes;
  readonly #context: PublisherOptions;
  /** Kinds of the readings of each device. */
  readonly #kinds = new Map<string, Set<string>>();

  constructor(context: PublisherOptions) {
    const { broker, scale, isServed, wallClock, world } = context;
    this.#context = context;
    this.outcomes = new MessageOutcomes({
      ...{ broker, isServed, profile: scale.profile, sharing: scale.sharing },
      now: () => world.now(),
      epochMs: wallClock() - world.now(),
    });
  }

  /** Publishes or posts. @returns the message if the broker has not accepted it */
  async send(message: DeviceMessage): Promise<DeviceMessage | undefined> {
    if (message.isPosted !== true) return this.publish(message);
    await this.#post(message);
    return undefined;
  }

  /** Publishes as often as the message says. @returns the message if the broker has not accepted it */
  publish(message: DeviceMessage): DeviceMessage | undefined {
    const { times = 1 } = message;
    const isTaken = this.publishOnce(message) !== undefined;
    const repeated = times === 1 ? '' : ` ${times} times`;
    this.#context.narrate(`${shorten(message)}${repeated}${isTaken ? '' : ' (not accepted)'}`);
    if (!isTaken) return message;
    // A broker accepts all messages of a moment, or none.
    for (let sent = 1; sent < times; sent++) this.publishOnce(message);
    return undefined;
  }

  /** @returns a function that returns the outcome; undefined if the broker has not accepted the message */
  publishOnce(message: DeviceMessage): (() => MessageOutcome) | undefined {
    const taken = this.#context.broker.publish(publicationOf(message));
    return taken && this.#notePublished(message, taken);
  }

  /** Waits until all messages are acknowledged; see `untilAcknowledged`. */
  untilAcknowledged(withinMs: number): Promise<void> {
    const { gateway, world } = this.#context;
    const unacknowledged = () => this.outcomes.unacknowledged;
    return untilAcknowledged({ unacknowledged, gateway, now: () => world.now() }, withinMs);
  }

  /** Posts the readings once. Without a response they may be stored or not. */
  async #post(message: DeviceMessage): Promise<void> {
    const { gateway, narrate, wallClock } = this.#context;
    const { readings, payload, leftOut = [] } = message;
    const outcome: MessageOutcome = { isLost: true, copies: 1 };
    const kept = this.#noteReadings(message, () => outcome);
    const path = `/v1/readings?device=${readings[0]?.device}`;
    const answer = await gateway.ask('ingestion', { method: 'POST', path, json: payload });
    narrate(`POST ${path} ${payload.slice(0, shownLength)}: ${answer.status ?? answer.reason}`);
    if (answer.status !== 202) return;
    const deliveredAt = wallClock();
    Object.assign(outcome, { isLost: false, isAcknowledged: true, deliveredAt });
    const report = JSON.parse(answer.text) as { stored: number; leftOut: { field: string }[] };
    const isRight =
      report.stored === kept &&
      String(report.leftOut.map(({ field }) => field)) === String(leftOut);
    if (!isRight) throw new Violation(`POST ${path} ${payload}: ${describe(answer)}`);
  }

  #notePublished(message: DeviceMessage, taken: Message): () => MessageOutcome {
    const { topic, payload, readings, isPoison, leftOut } = message;
    const publishedAt = this.#context.wallClock();
    const outcome = this.outcomes.published(taken);
    const letter = { topic, payload, publishedAt, outcome, leftOut };
    const kept = this.#noteReadings(message, outcome);
    if (isPoison || kept < readings.length) {
      this.deadLetters.note(letter);
      return outcome;
    }
    for (const reading of readings) {
      const { time } = reading;
      if (time === undefined || this.#context.scale.climateDays === 0) continue;
      const expiresAt = () => time + this.#keptOf(reading)().atLeastMs;
      this.deadLetters.noteExpiring({ ...letter, expiresAt });
    }
    return outcome;
  }

  /** @returns the number of readings that have to be stored; the others have expired */
  #noteReadings({ readings }: DeviceMessage, outcome: () => MessageOutcome): number {
    const publishedAt = this.#context.wallClock();
    let noted = 0;
    for (const reading of readings) {
      const kept = this.#keptOf(reading);
      this.ledger.know(reading.device);
      const { time = publishedAt } = reading;
      if (time + kept().atMostMs + tolerance.earlierMs < publishedAt) continue;
      this.ledger.note(reading, { publishedAt, outcome, kept });
      noted += 1;
    }
    return noted;
  }

  /** The retention of a reading. It is uncertain after a device was replaced by a device of another kind. */
  #keptOf({ device, fields }: ExpectedReading): () => Retention {
    const kinds = this.#kinds.get(device) ?? new Set();
    this.#kinds.set(device, kinds.add(kindOf(fields as Fields)));
    const { climateDays } = this.#context.scale;
    const climateMs = climateDays > 0 ? climateDays * dayMs : Infinity;
    return () => ({
      atLeastMs: kinds.has('climate') ? climateMs : Infinity,
      atMostMs: kinds.size === 1 && kinds.has('climate') ? climateMs : Infinity,
    });
  }
}

function publicationOf({ topic, payload, retain, properties }: DeviceMessage): Publication {
  return { topic, payload, qos: 1, retain, properties };
}

const shorten = ({ topic, payload }: DeviceMessage) => `${topic} ${payload.slice(0, shownLength)}`;

/** Whether a message is stored, which the broker may have lost. */
export function isStored(outcome: (() => MessageOutcome) | undefined): boolean {
  return outcome?.().isAcknowledged === true;
}
