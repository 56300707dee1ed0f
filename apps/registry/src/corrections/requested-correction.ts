import { Problem } from '@engawa/errors';
import { correctionItem, itemSize, maxCorrectionBytes, sortedUnique } from '@engawa/model';
import type { Correction } from '@engawa/model';
import type { CorrectionBody } from './correction-schemas.ts';

/** Ingestion accepts readings up to a day ahead of its clock, and corrections may concern them. */
const maxAheadMs = 86_400_000;

export type RequestedCorrection = Omit<Correction, 'sequence'>;

/** @throws Problem `invalid-request` for an invalid correction */
export function requestedCorrection(
  who: Pick<Correction, 'device' | 'id' | 'by'>,
  body: CorrectionBody,
  now: number,
): RequestedCorrection {
  const { operation, fields, why } = body;
  const range =
    body.operation === 'reset'
      ? { from: body.at, to: body.at + 1 }
      : { from: body.from, to: body.to };
  const end = body.operation === 'reset' ? 'at' : 'to';
  if (range.from >= range.to) throw invalid('body.to', 'must be after body.from');
  if (range.to > now + maxAheadMs + 1) throw invalid(`body.${end}`, 'must be at most a day ahead');
  const common = {
    ...who,
    operation,
    ...range,
    ...(fields !== undefined && { fields: [...new Set(fields)].sort() }),
    why,
    madeAt: now,
  };
  const correction =
    body.operation === 'replace' ? { ...common, readings: replacementOf(body) } : common;
  expectSize(correction);
  return correction;
}

/** @throws Problem `invalid-request` where the correction does not fit in its item */
export function expectSize(correction: RequestedCorrection): void {
  const bytes = itemSize(correctionItem({ ...correction, sequence: 1 }));
  if (bytes <= maxCorrectionBytes) return;
  throw invalid('body', `must take at most ${maxCorrectionBytes} bytes, not ${bytes}`);
}

function replacementOf(body: CorrectionBody & { operation: 'replace' }) {
  const { from, to, fields, readings } = body;
  for (const [index, { time, fields: given }] of readings.entries()) {
    const path = `body.readings[${index}]`;
    if (time < from || time >= to) throw invalid(`${path}.time`, 'must be within the range');
    const other = Object.keys(given).find((name) => fields?.includes(name) === false);
    if (other !== undefined)
      throw invalid(`${path}.fields`, 'must have only the fields of body.fields');
  }
  return sortedUnique(readings);
}

export function invalid(path: string, message: string): Problem {
  return new Problem('invalid-request', `${path} ${message}.`, {
    fieldErrors: [{ path, message }],
  });
}
