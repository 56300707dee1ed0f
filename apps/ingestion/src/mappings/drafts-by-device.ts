import { ignored } from '../decoders/decoder.ts';
import { Rejection } from '../refusals/rejection.ts';
import { maxDevices } from './mapping-limits.ts';
import type { Decoded, Draft } from '../decoders/decoder.ts';

interface DeviceDrafts {
  device: string;
  drafts: Draft[];
}

/** The readings of a message. Most messages are of one device, which needs no map. */
export class DraftsByDevice {
  #first: DeviceDrafts | undefined;
  #others: Map<string, Draft[]> | undefined;

  /** @throws Rejection when the message has too many devices */
  add(device: string, draft: Draft): void {
    if (this.#first === undefined) this.#first = { device, drafts: [draft] };
    else if (this.#first.device === device) this.#first.drafts.push(draft);
    else this.#addOther(device, draft);
  }

  /** @param prefix of all device ids */
  decoded(prefix: string): Decoded {
    if (this.#first === undefined) return ignored();
    const own = decodedOf(this.#first, prefix);
    if (this.#others === undefined) return own;
    const others = Array.from(this.#others, ([device, drafts]) =>
      decodedOf({ device, drafts }, prefix),
    );
    return { ...own, others };
  }

  #addOther(device: string, draft: Draft): void {
    this.#others ??= new Map();
    const drafts = this.#others.get(device);
    if (drafts !== undefined) drafts.push(draft);
    else if (this.#others.size + 1 < maxDevices) this.#others.set(device, [draft]);
    else throw new Rejection('too-many-devices', { max: maxDevices });
  }
}

function decodedOf({ device, drafts }: DeviceDrafts, prefix: string): Decoded {
  return { device: prefix + device, drafts, isBatched: drafts.length > 1 };
}
