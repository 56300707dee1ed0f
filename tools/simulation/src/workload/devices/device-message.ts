import type { PublishProperties } from '../../broker/index.ts';
import type { Random } from '../../kernel/index.ts';
import type { ExpectedReading } from '../../oracles/readings-ledger.ts';

/** A message of a device, and the readings that have to be stored for it. */
export interface DeviceMessage {
  topic: string;
  payload: string;
  retain: boolean;
  /** Of MQTT 5; a broker that speaks 3.1.1 to ingestion leaves them out. */
  properties?: PublishProperties;
  readings: readonly ExpectedReading[];
  /** Whether the message has to become a dead letter. */
  isPoison: boolean;
}

export interface MessageOptions {
  /** Of the device among those of its dialect. */
  name: string;
  /** Not used before by this device: it makes each reading different from all others. */
  count: number;
  /** Whether the broker keeps what it says as the last value of the topic. */
  retains: boolean;
  /** From 1 on: another one may name its fields differently. */
  firmware: number;
  /** Epoch milliseconds by the device's clock. */
  now: number;
  random: Random;
}

/** The message format of one brand of devices. */
export interface Dialect {
  name: string;
  /** The id under which its readings are stored. */
  deviceOf: (name: string) => string;
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
