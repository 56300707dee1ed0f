export const maxPacketId = 65_535;

/** Packet identifiers of incomplete deliveries to one client; they outlive its connection. */
export class PacketIds {
  readonly #inUse = new Set<number>();
  #last = 0;

  /** Returns an identifier that is not zero and not in use [MQTT-2.2.1-4]. */
  next(): number {
    do this.#last = (this.#last % maxPacketId) + 1;
    while (this.#inUse.has(this.#last));
    this.#inUse.add(this.#last);
    return this.#last;
  }

  /** Marks an identifier that an earlier process assigned as in use. */
  reserve(packetId: number): void {
    this.#inUse.add(packetId);
    this.#last = Math.max(this.#last, packetId);
  }

  free(packetId: number): void {
    this.#inUse.delete(packetId);
  }
}
