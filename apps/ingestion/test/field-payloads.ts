import { readFileSync } from 'node:fs';
import { parseExactJson } from '@engawa/model';
import type { FieldValue } from '@engawa/model';

/** A message, or a request, as a device sends it. */
export interface FieldMessage {
  /** Of MQTT; or `post`, the path of a request over HTTP. */
  topic?: string;
  post?: string;
  /** The payload: `text`, or bytes in hexadecimal. */
  text?: string;
  hex?: string;
  qos?: 0 | 1 | 2;
  /** Number of equal messages; 1 by default. */
  times?: number;
  /** The next message is sent only then. */
  each?: 'after it is stored';
  /** Sent while ingestion is stopped. */
  queued?: true;
}

export interface ExpectedReading {
  device: string;
  /** ISO 8601; the time of receipt if it is absent. */
  time?: string;
  fields: Record<string, FieldValue>;
}

export interface ExpectedDeadLetter {
  topic: string;
  reason: string;
  indexes?: number[];
  /** A part of the detail. */
  mentions?: string;
  /** The values that are left out of stored readings; the names are in quotation marks. */
  leftOut?: LeftOutValue[];
}

export interface LeftOutValue {
  field: string;
  reason: string;
}

/** A payload of a public bug report, and what is right. */
export interface FieldPayload {
  id: string;
  /** Repository and number of the report, or the class of reports. */
  source: string;
  /** The right result in words. */
  right: string;
  note?: string;
  /** The result is right only with a mapping of topics and fields by the user; expected is the result without one. */
  needs?: 'mapping';
  /** The payload is not treated right yet: the rule that it waits for. */
  todo?: string;
  messages: FieldMessage[];
  /** Of messages that ingestion receives, by outcome; a topic that no decoder subscribes to has none. */
  outcomes: Record<string, number>;
  readings: ExpectedReading[];
  /** The readings of a device have this order. */
  ordered?: true;
  /** By device. */
  kinds?: Record<string, string>;
  /** Devices at which a clock ahead is noted. */
  ahead?: string[];
  deadLetters?: ExpectedDeadLetter[];
}

/** @param now epoch milliseconds, from which times such as `$+23h` are counted */
export function fieldPayloads(now: number): FieldPayload[] {
  const later = (_: string, hours: string) =>
    new Date(now + Number(hours) * 3_600_000).toISOString();
  return readFileSync(`${__dirname}/fixtures/field-payloads.jsonl`, 'utf8')
    .replaceAll(/\$\+(\d+)h/g, later)
    .trim()
    .split('\n')
    .map((line) => parseExactJson(line) as FieldPayload);
}
