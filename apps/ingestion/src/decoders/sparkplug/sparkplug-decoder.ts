import { latestInstant } from '@engawa/keys';
import { Rejection } from '../../refusals/rejection.ts';
import { ignored } from '../decoder.ts';
import { addressOf, deviceIdOf } from './address.ts';
import { BirthMemory } from './birth-memory.ts';
import { bdSeqOf, bornMetrics, draftsOf, needsBirth } from './message-drafts.ts';
import { parseSparkplug } from './payload.ts';
import type { Decoded, DecoderOptions, Draft, Source } from '../decoder.ts';
import type { Address } from './address.ts';
import type { BirthChange, KnownBirth } from './known-birth.ts';
import type { SparkplugPayload } from './payload.ts';
import type { RebirthRequests } from './rebirth-requests.ts';

type MessageSource = Pick<Source, 'payload' | 'receivedAt' | 'replayed'>;

/** A parsed message with its sender. */
interface SparkplugMessage extends Address, Omit<MessageSource, 'payload'> {
  payload: SparkplugPayload;
}

/** Decodes messages of Sparkplug nodes, with the state from their births. */
export class SparkplugDecoder {
  readonly #rebirths: RebirthRequests | undefined;
  readonly #memory: BirthMemory;

  constructor({ births, rebirths }: Pick<DecoderOptions, 'births' | 'rebirths'>) {
    this.#rebirths = rebirths;
    this.#memory = new BirthMemory(births);
  }

  /** Synchronous if the needed births are in memory; otherwise after they have been read from the table. */
  decode(address: Address, received: MessageSource): Decoded | Promise<Decoded> {
    const message = { ...address, ...received, payload: this.#parse(address, received) };
    const { node, device, event, payload } = message;
    if (event === 'DATA' && !needsBirth(payload)) return decoded(message, draftsOf(message));
    const isDeathOfNode = event === 'DEATH' && device === '';
    return this.#memory.run({ node, device, allDevices: isDeathOfNode }, () => {
      if (event === 'DATA') return this.#data(message);
      if (event === 'BIRTH') return this.#birth(message);
      return isDeathOfNode ? this.#deathOfNode(message) : this.#deathOfDevice(message);
    });
  }

  /** A birth that could not be received may have changed the meaning of every alias. */
  missed(levels: readonly string[], prefix: string): void {
    try {
      const address = addressOf(levels, prefix);
      if (address?.event === 'BIRTH') this.#missedBirth(address, Date.now());
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
    }
  }

  /** Other replicas may have stored births that this one has missed. */
  reconnected(): void {
    this.#memory.births.outdate();
    this.#rebirths?.reconnected();
  }

  /** The births in memory are stored in the new table while they are in use. */
  tableReplaced(): void {
    this.#memory.births.lost(Date.now());
  }

  #parse(address: Address, { payload, receivedAt, replayed }: MessageSource): SparkplugPayload {
    try {
      return parseSparkplug(payload);
    } catch (error) {
      if (address.event === 'BIRTH' && replayed === undefined) {
        this.#missedBirth(address, receivedAt);
      }
      throw error;
    }
  }

  #missedBirth({ node, device, commandTopic }: Address, receivedAt: number): void {
    const { births } = this.#memory;
    const work = () => void this.#save(births.missed(node, device, receivedAt));
    Promise.resolve(this.#memory.run({ node, device }, work)).catch(() => undefined); // closing
    this.#rebirths?.ask(commandTopic);
  }

  #birth(message: SparkplugMessage): Decoded {
    const { node, device, commandTopic, payload, receivedAt, replayed } = message;
    const drafts = draftsOf({ ...message, online: true });
    // A replayed birth is not the current one.
    if (replayed !== undefined) return decoded(message, drafts);
    const { births } = this.#memory;
    const { timestamp = Infinity } = payload;
    const born = {
      node,
      device,
      timestamp,
      metrics: bornMetrics(payload),
      bdSeq: bdSeqOf(payload),
    };
    const change =
      timestamp > latestInstant
        ? births.missed(node, device, receivedAt)
        : births.add(born, receivedAt);
    if (change !== undefined && change.birth.mapping === undefined) {
      this.#rebirths?.ask(commandTopic);
    }
    return decoded(message, drafts, { remembered: this.#save(change) });
  }

  #data(message: SparkplugMessage): Decoded {
    const { node, device, commandTopic, payload, receivedAt, replayed } = message;
    const { births } = this.#memory;
    const { timestamp } = payload;
    const isReplayed = replayed !== undefined;
    const mapping =
      timestamp === undefined
        ? undefined
        : births.mappingFor({ node, device, timestamp, receivedAt, isReplayed });
    const drafts = draftsOf({ ...message, mapping });
    const isUnknown = drafts.some(({ rejection }) => rejection?.reason === 'unknown_alias');
    // Data from before the last birth is not explained by the next birth either.
    const isLate = (timestamp ?? 0) < (births.current(node, '')?.timestamp ?? -Infinity);
    if (isUnknown && !isLate && !isReplayed) this.#rebirths?.ask(commandTopic);
    return decoded(message, drafts);
  }

  /**
   * A death of another session than the last birth is a will that was delivered late. The broker publishes it with the
   * time at which the node connected.
   */
  #deathOfNode(message: SparkplugMessage): Decoded {
    const { node, payload, receivedAt, replayed } = message;
    const { births } = this.#memory;
    const birth = births.current(node, '');
    const bdSeq = bdSeqOf(payload);
    const isOther = birth?.bdSeq !== undefined && bdSeq !== undefined && birth.bdSeq !== bdSeq;
    if (isOther && replayed === undefined) return ignored();
    const ended = isOther ? undefined : birth;
    const change = replayed === undefined && ended ? births.end(ended, receivedAt) : undefined;
    const time = ended?.endedAt;
    return decoded(message, draftsOf({ ...message, online: false, at: { time } }), {
      others: ended === undefined ? [] : this.#deathsOfDevices(ended, time),
      remembered: this.#save(change),
    });
  }

  /** With a node, all its devices are offline (Sparkplug 3.0, 5.6) that had a birth and no death. */
  #deathsOfDevices({ node, timestamp }: KnownBirth, time: number | undefined): Decoded[] {
    const { births } = this.#memory;
    const alive = births.devices(node).filter((device) => {
      const birth = births.current(node, device);
      return birth !== undefined && birth.timestamp >= timestamp && birth.endedAt === undefined;
    });
    const drafts = draftsOf({
      payload: { timestamp: undefined, metrics: [] },
      online: false,
      at: { time },
    });
    return alive.map((device) => ({ device: deviceIdOf(node, device), drafts, isBatched: true }));
  }

  #deathOfDevice(message: SparkplugMessage): Decoded {
    const { node, device, payload, receivedAt, replayed } = message;
    const { births } = this.#memory;
    const birth = births.current(node, device);
    const isLate = (payload.timestamp ?? Infinity) < (birth?.timestamp ?? Infinity);
    const isNew = birth !== undefined && !isLate && replayed === undefined;
    const change = isNew ? births.end(birth, receivedAt) : undefined;
    const drafts = draftsOf({ ...message, online: false });
    return decoded(message, drafts, { remembered: this.#save(change) });
  }

  #save(change: BirthChange | undefined): Promise<void> {
    if (change === undefined) return Promise.resolve();
    const saved = this.#memory.save(change);
    saved.catch(() => undefined); // callers that wait handle the error; not all wait
    return saved;
  }
}

function decoded(
  { node, device }: Address,
  drafts: Draft[],
  more: Pick<Decoded, 'others' | 'remembered'> = {},
): Decoded {
  return { device: deviceIdOf(node, device), drafts, isBatched: drafts.length > 1, ...more };
}
