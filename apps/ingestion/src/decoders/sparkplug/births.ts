import { maxBirths, inOrder, isSameTime, shareMapping, sizeOf } from './known-birth.ts';
import { Mapping } from './mapping.ts';
import type {
  BirthChange,
  BirthLimits,
  BirthsOfDevice,
  BirthsOfNode,
  DataTime,
  KnownBirth,
  ReceivedBirth,
} from './known-birth.ts';

/** Maximum difference between the timestamp and the receipt of a birth: with more, the clock of the node is wrong. */
const maxClockErrorMs = 86_400_000;

/** Synthetic births have timestamps below this: milliseconds that no set clock reports. */
const smallTimestamps = 1_000_000;
/** Age from which a birth in use is stored again: half of the time for which it is kept. */
const renewAfterMs = 30 * 86_400_000;

/**
 * The births of nodes and devices: which metric an alias meant when data was published. If that is ambiguous, the alias
 * is unknown, because a wrong alias would assign a value to another metric. If there is no room, the node that has been
 * silent longest is evicted.
 */
export class Births {
  readonly #limits: BirthLimits;
  readonly #renew: (birth: KnownBirth) => void;
  /** In the order of the last message. */
  readonly #nodes = new Map<string, BirthsOfNode>();
  #metrics = 0;
  #generation = 0;
  #storedSince = -Infinity;

  /** @param renew called with a birth that is in use and would expire */
  constructor(
    limits: BirthLimits = { nodes: 10_000, metrics: 250_000 },
    renew: (birth: KnownBirth) => void = () => undefined,
  ) {
    this.#limits = limits;
    this.#renew = renew;
  }

  /** For tests: the contents of the memory. */
  get size(): BirthLimits {
    return { nodes: this.#nodes.size, metrics: this.#metrics };
  }

  /** Whether all stored births of this device are in memory; without a device, those of all devices of the node. */
  isLoaded(node: string, device?: string): boolean {
    const found = this.#nodes.get(node);
    const loaded = device === undefined ? found : found?.devices.get(device);
    return loaded?.generation === this.#generation;
  }

  setLoaded(node: string, device?: string): void {
    const loaded = device === undefined ? this.#touch(node) : this.#of(node, device);
    loaded.generation = this.#generation;
  }

  /** Other replicas may have stored births that this one has missed: everything has to be read again. */
  outdate(): void {
    this.#generation += 1;
  }

  /** Births stored before this time (epoch milliseconds) are not in the table: they are stored again in use. */
  lost(before: number): void {
    this.#storedSince = before;
  }

  devices(node: string): string[] {
    return [...(this.#nodes.get(node)?.devices.keys() ?? [])].filter((device) => device !== '');
  }

  /** Adds births that are stored in the table; updates the end of known births. */
  fill(node: string, device: string, stored: readonly KnownBirth[]): void {
    const known = this.#of(node, device);
    for (const birth of stored) {
      const same = known.births.find((each) => isSameTime(each, birth));
      if (same === undefined) known.births.push(shareMapping(birth, known.births));
      else same.endedAt ??= birth.endedAt;
    }
    this.#trim(node, known);
  }

  /** The newest birth of the current epoch of the node. */
  current(node: string, device: string): KnownBirth | undefined {
    const epoch = this.#epochAt(node, Infinity);
    return this.#births(node, device).findLast((birth) => birth.epoch === epoch);
  }

  /**
   * The birth of a node also ends its devices, which have to send births again. A birth that is not newer than the last
   * one is late, or from a clock that was set back. It is unknown which, so nothing is certain until the next birth.
   * @returns undefined if the same birth is known
   */
  add({ metrics, ...received }: ReceivedBirth, receivedAt: number): BirthChange | undefined {
    const { node, device, timestamp } = received;
    const epoch = this.#epochAt(node, Infinity);
    const births = this.#births(node, device);
    const mapping = new Mapping(metrics);
    const isKnown = births.some(
      (birth) =>
        birth.timestamp === timestamp && (birth.mapping?.equals(mapping) ?? birth.epoch === epoch),
    );
    if (isKnown) return undefined;
    const isClockWrong = Math.abs(timestamp - receivedAt) > maxClockErrorMs;
    if (device === '' && isClockWrong) {
      return this.#put(
        { ...received, epoch: Math.max(receivedAt, epoch + 1), mapping },
        receivedAt,
      );
    }
    const last = births.findLast((birth) => birth.epoch === epoch)?.timestamp ?? -Infinity;
    const isNewer = timestamp > last && timestamp >= this.#bornAt(node, device, epoch);
    if (isNewer) return this.#put({ ...received, epoch, mapping }, receivedAt);
    return this.missed(node, device, receivedAt, timestamp);
  }

  /**
   * A birth could not be read or received: until the next one nothing is known of data that is received from now on.
   * @param timestamp of that birth, if known
   * @returns undefined if nothing is known already
   */
  missed(
    node: string,
    device: string,
    receivedAt: number,
    timestamp?: number,
  ): BirthChange | undefined {
    const last = this.current(node, device);
    if (last !== undefined && last.mapping === undefined) return undefined;
    const unknown = { node, device, mapping: undefined, bdSeq: undefined };
    const epoch = this.#epochAt(node, Infinity);
    if (device !== '') {
      const after = Math.max(last?.timestamp ?? 0, this.#bornAt(node, device, epoch));
      return this.#put({ ...unknown, epoch, timestamp: after + 1 }, receivedAt);
    }
    // An epoch of its own: births of devices may have later timestamps than the birth of the node.
    const small = this.#births(node, '').filter((birth) => birth.timestamp < smallTimestamps);
    const unused = Math.max(0, ...small.map((birth) => birth.timestamp)) + 1;
    const own = { epoch: Math.max(receivedAt, epoch + 1), timestamp: timestamp ?? unused };
    return this.#put({ ...unknown, ...own }, receivedAt);
  }

  /**
   * The node or the device has died.
   * @returns undefined if its death is already known
   */
  end(birth: KnownBirth, receivedAt: number): BirthChange | undefined {
    if (birth.endedAt !== undefined) return undefined;
    birth.endedAt = receivedAt;
    return { birth, evicted: [] };
  }

  /**
   * The meaning of aliases in this data, from the last birth before it. Data with the timestamp of a birth may be
   * before or after it: then only metrics that both births define equally are known.
   */
  mappingFor(data: DataTime): Mapping | undefined {
    if (this.#nodes.has(data.node)) this.#touch(data.node);
    const found = this.#birthFor(data, data.timestamp);
    if (found?.mapping === undefined) return undefined;
    const epoch = found.epoch;
    const isAtOnce = [this.#births(data.node, ''), this.#births(data.node, data.device)].some(
      (births) =>
        births.some((birth) => birth.epoch === epoch && birth.timestamp === data.timestamp),
    );
    if (!isAtOnce) return found.mapping;
    const before = this.#birthFor(data, data.timestamp - 1)?.mapping;
    return before === undefined ? found.mapping : found.mapping.inCommonWith(before);
  }

  #birthFor(data: DataTime, timestamp: number): KnownBirth | undefined {
    const { node, device } = data;
    const receivedAt = data.isReplayed ? data.receivedAt : Infinity;
    const epoch = this.#epochAt(node, receivedAt);
    const at = (births: readonly KnownBirth[]) => {
      const birth = births.findLast((each) => each.epoch === epoch && each.timestamp <= timestamp);
      if (birth !== undefined) this.#keepAlive(birth, data);
      return birth;
    };
    const isOver = ({ endedAt = Infinity }: KnownBirth) => endedAt < receivedAt;
    const ofNode = at(this.#births(node, ''));
    if (ofNode !== undefined && isOver(ofNode)) return undefined;
    if (device === '') return ofNode;
    const ofDevice = at(this.#births(node, device));
    if (ofDevice === undefined || isOver(ofDevice)) return undefined;
    return ofDevice.timestamp < (ofNode?.timestamp ?? -Infinity) ? undefined : ofDevice;
  }

  #keepAlive(birth: KnownBirth, { receivedAt, isReplayed }: DataTime): void {
    const since = Math.max(receivedAt - renewAfterMs, this.#storedSince);
    if (isReplayed || birth.writtenAt > since) return;
    birth.writtenAt = receivedAt;
    this.#renew(birth);
  }

  /** The epoch in which data was received. */
  #epochAt(node: string, receivedAt: number): number {
    return this.#births(node, '').findLast(({ epoch }) => epoch <= receivedAt)?.epoch ?? 0;
  }

  /** The last birth of the node, which its devices have to follow; -Infinity for the node itself. */
  #bornAt(node: string, device: string, epoch: number): number {
    if (device === '') return -Infinity;
    const last = this.#births(node, '').findLast((birth) => birth.epoch === epoch);
    return last?.timestamp ?? -Infinity;
  }

  #births(node: string, device: string): readonly KnownBirth[] {
    return this.#nodes.get(node)?.devices.get(device)?.births ?? [];
  }

  #put(birth: Omit<KnownBirth, 'writtenAt'>, writtenAt: number): BirthChange {
    const known = this.#of(birth.node, birth.device);
    const added = shareMapping({ ...birth, writtenAt }, known.births);
    known.births = [...known.births.filter((each) => !isSameTime(each, added)), added];
    return { birth: added, evicted: this.#trim(birth.node, known) };
  }

  #of(name: string, device: string): BirthsOfDevice {
    const { devices } = this.#touch(name);
    const found = devices.get(device) ?? { births: [], size: 0, generation: undefined };
    devices.set(device, found);
    return found;
  }

  #touch(name: string): BirthsOfNode {
    const node = this.#nodes.get(name) ?? { devices: new Map(), generation: undefined, size: 0 };
    this.#nodes.delete(name);
    this.#nodes.set(name, node);
    return node;
  }

  #trim(name: string, known: BirthsOfDevice): KnownBirth[] {
    known.births.sort(inOrder);
    const evicted = known.births.splice(0, known.births.length - maxBirths);
    const size = sizeOf(known.births);
    this.#touch(name).size += size - known.size;
    this.#metrics += size - known.size;
    known.size = size;
    for (const [other, node] of this.#nodes) {
      if (this.#nodes.size <= this.#limits.nodes && this.#metrics <= this.#limits.metrics) break;
      this.#metrics -= node.size;
      this.#nodes.delete(other);
    }
    return evicted;
  }
}
