import type { Random } from '../../kernel/index.ts';

/** What query has to answer for one reading. */
export interface ExpectedReading {
  device: string;
  fields: Readonly<Record<string, unknown>>;
  /** Epoch milliseconds; undefined where the message has no time and gets that of its receipt. */
  time?: number;
}

/** What a device publishes, and what has to become of it. */
export interface Utterance {
  topic: string;
  payload: string;
  retain: boolean;
  readings: readonly ExpectedReading[];
  /** Whether the message has to become a dead letter. */
  isPoison: boolean;
}

export interface Occasion {
  /** Of the device among those of its dialect. */
  name: string;
  /** Not used before by this device: it makes each reading different from all others. */
  count: number;
  /** Whether the broker keeps what it says as the last value of the topic. */
  retains: boolean;
  /** Epoch milliseconds by the device's clock. */
  now: number;
  random: Random;
}

/** How the devices of one brand speak. */
export interface Dialect {
  name: string;
  /** The id under which its readings are stored. */
  deviceOf: (name: string) => string;
  speak: (occasion: Occasion) => Utterance;
}

/** A message with readings. */
export function said(
  topic: string,
  body: unknown,
  readings: readonly ExpectedReading[],
  retain = false,
): Utterance {
  return { topic, payload: JSON.stringify(body), retain, readings, isPoison: false };
}
