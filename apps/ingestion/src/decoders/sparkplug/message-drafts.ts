import { Rejection } from '../../refusals/rejection.ts';
import { Groups } from './groups.ts';
import { nameValue } from './values.ts';
import type { BirthMetric } from '@engawa/model';
import type { Draft } from '../decoder.ts';
import type { Mapping } from './mapping.ts';
import type { Metric, SparkplugPayload } from './payload.ts';

export interface MessageDrafts {
  payload: SparkplugPayload;
  /** The meaning of aliases, if known. */
  mapping?: Mapping | undefined;
  /** For a birth or a death. */
  online?: boolean;
  /** Replaces all times in the message. */
  at?: { time: number | undefined };
  /** For a dead letter: indexes of the drafts that it is about. */
  replayed?: readonly number[] | undefined;
}

/** The drafts of the readings of a message. Transient metrics are not stored. */
export function draftsOf(message: MessageDrafts): Draft[] {
  const { payload, mapping, online, at, replayed } = message;
  const { timestamp, metrics } = payload;
  const groups = new Groups(metrics.length + 1, replayed);
  if (online !== undefined) {
    const time = at === undefined ? timestamp : at.time;
    const value = { position: 0, time, isHistorical: false, reference: 'n online' };
    groups.add(value, 'online', online);
  }
  for (const [index, metric] of metrics.entries()) {
    if (metric.isTransient) continue;
    const time = at === undefined ? (metric.timestamp ?? timestamp) : at.time;
    const { isHistorical } = metric;
    const value = { position: index + 1, time, isHistorical, reference: referenceOf(metric) };
    try {
      const named = nameValue(metric, mapping);
      groups.add(value, named.name, named.value);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      groups.refuse(value, error);
    }
  }
  return groups.drafts();
}

/** Whether the meaning of the message depends on a birth. */
export function needsBirth({ metrics }: SparkplugPayload): boolean {
  return metrics.some(
    ({ name, datatype, value }) =>
      name === undefined || (datatype === undefined && value.kind === 'integer'),
  );
}

/** The metrics that a birth defines. */
export function bornMetrics({ metrics }: SparkplugPayload): BirthMetric[] {
  return metrics.flatMap(({ name, alias, datatype }) =>
    name === undefined ? [] : [{ name, alias, datatype }],
  );
}

/** The sequence number that birth and death of a node have in common (Sparkplug 3.0, 6.4.19 and 6.4.23). */
export function bdSeqOf({ metrics }: SparkplugPayload): string | undefined {
  const value = metrics.find(({ name }) => name === 'bdSeq')?.value;
  return value?.kind === 'integer' ? String(value.bits) : undefined;
}

function referenceOf({ name, alias }: Metric): string {
  return name === undefined ? `a ${alias}` : `n ${name}`;
}
