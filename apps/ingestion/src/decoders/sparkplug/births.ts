import { maxBirths, inOrder, isSameTime, shareMapping, sizeOf } from './known-birth.ts';
import { Mapping } from './mapping.ts';
import type {
  BirthChange,
  BirthsOfDevice,
  BirthsOfNode,
  DataTime,
  KnownBirth,
  ReceivedBirth,
} from './known-birth.ts';

export interface BirthLimits {
  nodes: number;
  /** Over all nodes: what bounds the memory, some 200 bytes each. */
  metrics: number;
}

/** Milliseconds between a birth's timestamp and its receipt from which on the node's clock is taken to be wrong. */
const maxClockErrorMs = 86_400_000;

/** Milliseconds: births that nobody sent have timestamps below this, which are those of no clock that is set. */
const smallTimestamps = 1_000_000;
/** Milliseconds after which a birth that is used is to be stored again: half of the time for which it is kept. */
const renewAfterMs = 30 * 86_400_000;

const defaultLimits: BirthLimits = { nodes: 10_000, metrics: 250_000 };

/**
 * The births of nodes and devices: which metric an alias stood for when data was published. Where that is not certain
 * nothing is known, since a wrong alias would give a value to another metric. Where there is no more room, the node not
 * heard of for the longest time is evicted.
 */
export class Births {
  readonly #limits: BirthLimits;
  readonly #renew: (birth: KnownBirth) => void;
  /** The one heard of last is last. */
  readonly #nodes = new Map<string, BirthsOfNode>();
  #metrics = 0;
  #generation = 0;

  /** @param renew is told of a birth that is in use and would expire */
  constructor(
    limits: BirthLimits = defaultLimits,
    renew: (birth: KnownBirth) => void = () => undefined,
  ) {
    this.#limits = limits;
    this.#renew = renew;
  }

  /** For tests: what there is in memory. */
  get size(): BirthLimits {
    return { nodes: this.#nodes.size, metrics: this.#metrics };
  }

  /** Whether all that was stored of this device is in memory; without a device, of all devices of the node. */
  isLoaded(node: string, device?: string): boolean {
    const found = this.#nodes.get(node);
    const loaded = device === undefined ? found : found?.devices.get(device);
    return loaded?.generation === this.#generation;
  }

  setLoaded(node: string, device?: string): void {
    const loaded = device === undefined ? this.#touch(node) : this.#of(node, device);
    loaded.generation = this.#generation;
  }

  /** Births may have been missed, which others have stored meanwhile: what is in memory is not all there is. */
  outdate(): void {
    this.#generation += 1;
  }

  devices(node: string): string[] {
    return [...(this.#nodes.get(node)?.devices.keys() ?? [])].filter((device) => device !== '');
  }

  /** Adds births that a process has stored before; of those that are known already, it learns when they ended. */
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
   * The birth of a node is also the end of its devices', which have to follow. One that is not newer than what is known comes
   * from a clock set back, or late: which one is not known, so that from now on nothing is certain until the next birth.
   * @returns nothing where the same birth is known already
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
   * There was a birth that could not be read or taken: until the next one nothing is known of data that is received from now on.
   * @param timestamp of that birth, where it is known
   * @returns nothing where nothing is known as it is
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
    // An epoch of its own, because births of devices may have later timestamps than those of the node.
    const small = this.#births(node, '').filter((birth) => birth.timestamp < smallTimestamps);
    const unused = Math.max(0, ...small.map((birth) => birth.timestamp)) + 1;
    const own = { epoch: Math.max(receivedAt, epoch + 1), timestamp: timestamp ?? unused };
    return this.#put({ ...unknown, ...own }, receivedAt);
  }

  /** The node has died, or the device has. @returns nothing where that is known */
  end(birth: KnownBirth, receivedAt: number): BirthChange | undefined {
    if (birth.endedAt !== undefined) return undefined;
    birth.endedAt = receivedAt;
    return { birth, evicted: [] };
  }

  /**
   * What aliases meant in this data, by a birth that is not newer. At the very millisecond of a birth it may be before or
   * after that: then only what was the same before and after it is known.
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
    if (isReplayed || birth.writtenAt > receivedAt - renewAfterMs) return;
    birth.writtenAt = receivedAt;
    this.#renew(birth);
  }

  /** The epoch in which data was received. */
  #epochAt(node: string, receivedAt: number): number {
    return this.#births(node, '').findLast(({ epoch }) => epoch <= receivedAt)?.epoch ?? 0;
  }

  /** When the node was born last, of a device; a node has nothing that it has to follow. */
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
