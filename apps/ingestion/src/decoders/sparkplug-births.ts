import type { Metric } from './sparkplug-payload.ts';

/** What the birth of a node or a device said of a metric. */
export interface Birth {
  name: string;
  datatype: number | undefined;
}

interface Certificate {
  timestamp: number | undefined;
  byAlias: ReadonlyMap<string, Birth>;
  byName: ReadonlyMap<string, Birth>;
}

/** By device; the node itself is the device without a name. */
type Node = Map<string, Certificate>;

export interface BirthLimits {
  nodes: number;
  /** Over all nodes: what bounds the memory, some 200 bytes each. */
  metrics: number;
}

/** Characters of a metric's name that count as one metric. */
const usualName = 64;

const defaultLimits: BirthLimits = { nodes: 10_000, metrics: 250_000 };

/**
 * What is known of the metrics of every node and device, from their births. Where there is no more room, the node not heard
 * of for the longest time is forgotten.
 */
export class Births {
  readonly #limits: BirthLimits;
  /** The one heard of last is last. */
  readonly #nodes = new Map<string, Node>();
  #metrics = 0;

  constructor(limits: BirthLimits = defaultLimits) {
    this.#limits = limits;
  }

  /**
   * A birth takes the place of the one before. The birth of a node is also the end of its devices', which have to follow.
   * One that is older than what is known is an old one replayed, or from a clock set back: then neither is to be
   * trusted, for a wrong alias would give a value to another metric.
   */
  replace(
    node: string,
    device: string,
    { timestamp, metrics }: { timestamp: number | undefined; metrics: readonly Metric[] },
  ): void {
    const devices = this.#touch(node) ?? new Map<string, Certificate>();
    const known = devices.get(device);
    const sameAgain = timestamp !== undefined && known?.timestamp === timestamp;
    if (sameAgain) return;
    const older =
      timestamp !== undefined && known?.timestamp !== undefined && timestamp < known.timestamp;
    for (const name of device === '' ? [...devices.keys()] : [device]) this.#drop(devices, name);
    if (!older) {
      const certificate = certificateOf(timestamp, metrics);
      devices.set(device, certificate);
      this.#metrics += sizeOf(certificate);
    }
    this.#nodes.set(node, devices);
    this.#makeRoom();
  }

  byAlias(node: string, device: string, alias: string): Birth | undefined {
    return this.#touch(node)?.get(device)?.byAlias.get(alias);
  }

  byName(node: string, device: string, name: string): Birth | undefined {
    return this.#touch(node)?.get(device)?.byName.get(name);
  }

  /** For tests: what there is in memory. */
  get size(): BirthLimits {
    return { nodes: this.#nodes.size, metrics: this.#metrics };
  }

  #touch(node: string): Node | undefined {
    const devices = this.#nodes.get(node);
    if (devices !== undefined) {
      this.#nodes.delete(node);
      this.#nodes.set(node, devices);
    }
    return devices;
  }

  #drop(devices: Node, device: string): void {
    const certificate = devices.get(device);
    if (certificate === undefined) return;
    this.#metrics -= sizeOf(certificate);
    devices.delete(device);
  }

  #makeRoom(): void {
    for (const [node, devices] of this.#nodes) {
      if (this.#nodes.size <= this.#limits.nodes && this.#metrics <= this.#limits.metrics) return;
      for (const device of [...devices.keys()]) this.#drop(devices, device);
      this.#nodes.delete(node);
    }
  }
}

/** One for a birth without metrics, too (there is no end of devices either), and more for long names. */
function sizeOf({ byName }: Certificate): number {
  const size = (name: string) => Math.ceil((name.length + 1) / usualName);
  return byName.keys().reduce((sum, name) => sum + size(name), 1);
}

function certificateOf(timestamp: number | undefined, metrics: readonly Metric[]): Certificate {
  const byAlias = new Map<string, Birth>();
  const byName = new Map<string, Birth>();
  for (const { name, alias, datatype } of metrics) {
    if (name === undefined) continue;
    const birth = { name, datatype };
    byName.set(name, birth);
    if (alias !== undefined) byAlias.set(alias, birth);
  }
  return { timestamp, byAlias, byName };
}
