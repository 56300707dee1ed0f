import { isDeepStrictEqual } from 'node:util';
import { bucketOf, violationsOfEdges } from '../../oracles/buckets.ts';
import { allPages } from '../../oracles/pages.ts';
import { Violation } from '../../world/violation.ts';
import { describe } from '../../world/gateway.ts';
import type { BucketRange, BucketResponse } from '../../oracles/buckets.ts';
import type { AppliedCorrection, SeriesReading } from '../../oracles/series.ts';
import type { ActorContext } from '../actor.ts';
import type { ConditionalWriter } from './conditional-writer.ts';
import type { Gadget } from './gadget.ts';

/** A reading as query returns it. */
export interface MeterReadingResponse {
  time: string;
  fields: Readonly<Record<string, number>>;
}

/** Sends readings with a time to ingestion; a retry stores the same readings. */
export async function postReadings(
  writer: ConditionalWriter,
  gadget: Gadget,
  readings: readonly SeriesReading[],
): Promise<void> {
  const path = `/v1/readings?device=${gadget.id}`;
  const body = readings.map(({ time, values }) => ({ ts: time, ...values }));
  const { answer, isFirst } = await writer.send({ method: 'POST', path, body }, 'ingestion');
  const { stored } = JSON.parse(answer.text) as { stored?: number };
  if (answer.status !== 202 || stored !== readings.length) {
    throw new Violation(`POST ${path}: ${describe(answer)}`);
  }
  if (!isFirst) writer.rest(gadget.thing);
  for (const reading of readings) gadget.series.note(reading);
}

export async function correct(
  writer: ConditionalWriter,
  gadget: Gadget,
  correction: AppliedCorrection,
): Promise<void> {
  const { id, operation, from, to, fields, readings } = correction;
  const range = operation === 'reset' ? { at: from } : { from, to };
  const replacements = readings?.map(({ time, values }) => ({ time, fields: values }));
  const path = `${gadget.thing.path}/corrections/${id}`;
  const body = { operation, ...range, fields, readings: replacements, why: 'wrong value' };
  const { answer, isFirst } = await writer.send({ method: 'PUT', path, body });
  const isMade = answer.status === 201 || (answer.status === 200 && !isFirst);
  if (!isMade) throw new Violation(`PUT ${path}: ${describe(answer)}`);
  if (!isFirst) writer.rest(gadget.thing);
  gadget.series.corrections.push(correction);
}

export async function undo(
  writer: ConditionalWriter,
  gadget: Gadget,
  correction: AppliedCorrection,
): Promise<void> {
  const path = `${gadget.thing.path}/corrections/${correction.id}`;
  const { answer, isFirst } = await writer.send({ method: 'DELETE', path });
  if (answer.status !== 204) throw new Violation(`DELETE ${path}: ${describe(answer)}`);
  if (!isFirst) writer.rest(gadget.thing);
  correction.isUndone = true;
}

/** Compares the list of corrections with the expected one. @returns a sentence for each difference */
export async function violationsOfCorrections(
  context: ActorContext,
  { thing, series }: Gadget,
): Promise<string[]> {
  const path = `${thing.path}/corrections`;
  const list = { service: 'registry', path, limit: { from: 1, to: 5 } } as const;
  const rows = (await allPages<Record<string, unknown>>(context, list)) ?? [];
  const shown = rows.map(({ id, operation, undoneAt }) => [id, operation, undoneAt !== undefined]);
  const wanted = series.corrections.map(({ id, operation, isUndone }) => [id, operation, isUndone]);
  const byId = ([one]: unknown[], [other]: unknown[]) => (String(one) < String(other) ? -1 : 1);
  return compare(path, shown, wanted.toSorted(byId));
}

/** Compares the readings of a device in a range (epoch milliseconds) with the expected ones. */
export async function violationsOfReadings(
  context: ActorContext,
  { thing, series, isShown }: Gadget,
  range: { from: number; to: number },
): Promise<string[]> {
  const order = context.random.pick(['asc', 'desc']);
  const path = `${thing.path}/readings?from=${range.from}&to=${range.to}&order=${order}`;
  const list = { service: 'query', path, limit: { from: 3, to: 40 } } as const;
  const shown = await allPages<MeterReadingResponse>(context, list);
  const within = ({ time }: SeriesReading) => time >= range.from && time < range.to;
  const readings = isShown ? series.shown.filter(within) : [];
  const wanted = readings.map(({ time, values }) => ({
    time: new Date(time).toISOString(),
    fields: values,
  }));
  return compare(path, shown, order === 'asc' ? wanted : wanted.toReversed());
}

/** Compares the aggregates of a device with the expected ones. */
export async function violationsOfAggregates(
  context: ActorContext,
  { thing, series, isShown }: Gadget,
  range: BucketRange,
  limit: { from: number; to: number },
): Promise<string[]> {
  const { from, to, every, timeZone } = range;
  const zone = encodeURIComponent(timeZone);
  const what = `every=${every}&timeZone=${zone}&fn=count,sum,min,max,increase`;
  const path = `${thing.path}/aggregates?from=${from}&to=${to}&${what}`;
  const shown = await allPages<BucketResponse>(context, { service: 'query', path, limit });
  if (shown === undefined) return [`GET ${path}: the device is missing`];
  return [
    ...violationsOfEdges(shown, range).map((violation) => `GET ${path}: ${violation}`),
    ...shown.flatMap((bucket) => {
      const own = { from: Date.parse(bucket.from), to: Date.parse(bucket.to) };
      const wanted = isShown ? bucketOf([{ series }], own) : {};
      return compare(`${path} ${bucket.from}`, bucket.fields, wanted);
    }),
  ];
}

export function compare(path: string, shown: unknown, wanted: unknown): string[] {
  if (isDeepStrictEqual(shown, wanted)) return [];
  return [`GET ${path}: ${JSON.stringify(shown)} instead of ${JSON.stringify(wanted)}`];
}
