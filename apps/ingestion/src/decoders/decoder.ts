/** One reading as a decoder found it in a payload: neither its time nor its fields are checked yet. */
export interface Draft {
  /** Whatever the payload gave as the reading's time; `undefined` when it gave none. */
  time: unknown;
  /** By name; values may still be nested. */
  fields: Readonly<Record<string, unknown>>;
}

export interface Decoded {
  /** From the topic, which the broker authorised; never from the payload. */
  device: string;
  drafts: Draft[];
  /** Whether the sender already gathered the readings, so that waiting for more would gain nothing. */
  gathered: boolean;
}

/**
 * What a kind of device publishes. `topic` is what the pattern's wildcards matched, `payload` the parsed body.
 * @throws Rejection when the payload is not of this kind at all
 */
export interface Decoder {
  /** A label of metrics. */
  name: string;
  /** An MQTT topic filter. */
  topic: string;
  decode(matched: readonly string[], payload: unknown): Decoded;
}
