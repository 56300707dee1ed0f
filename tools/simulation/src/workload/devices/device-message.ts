import type { PublishProperties } from '../../broker/index.ts';
import type { Random } from '../../kernel/index.ts';
import type { ExpectedReading } from '../../oracles/expected-readings.ts';

/** A message of a device, and the readings that have to be stored for it. */
export interface DeviceMessage {
  topic: string;
  payload: string;
  retain: boolean;
  /** Properties of MQTT 5, which a broker does not forward to a subscriber with MQTT 3.1.1. */
  properties?: PublishProperties;
  readings: readonly ExpectedReading[];
  /** Whether the message has to become a dead letter. */
  isPoison: boolean;
  /** Names of the values that are left out of its readings, as the dead letter or the response has them. */
  leftOut?: readonly string[];
  /** Number of equal messages that are published at the same moment; by default 1. */
  times?: number;
  /** Whether it is posted to ingestion's API for the device of its readings, not published. */
  isPosted?: boolean;
}

export interface MessageOptions {
  /** The device's name within its dialect. */
  name: string;
  /** A number that this device has not used before, which makes each reading unique. */
  count: number;
  /** Whether the message is retained. */
  retains: boolean;
  /** Firmware version, from 1; another version may name its fields differently. */
  firmware: number;
  /** Epoch milliseconds by the device's clock. */
  now: number;
  random: Random;
}

/** The message format of one brand of devices. */
export interface Dialect {
  name: string;
  nextMessage: (options: MessageOptions) => DeviceMessage;
}

/** A message with readings. */
export function messageOf(
  topic: string,
  body: unknown,
  readings: readonly ExpectedReading[],
  retain = false,
): DeviceMessage {
  return { topic, payload: JSON.stringify(body), retain, readings, isPoison: false };
}
