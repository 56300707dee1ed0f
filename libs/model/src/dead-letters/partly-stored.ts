import { parseReason } from './dead-letter-reason.ts';
import { parseDetailCode } from './detail-code.ts';
import type { DeadLetterReason } from './dead-letter-reason.ts';
import type { DetailCode } from './detail-code.ts';
import type { Document, DocumentValue } from '../values/item-size.ts';

/** Readings of a message of which only these fields are stored. */
export interface PartlyStored {
  /** Positions of the readings in the message, from 0. */
  indexes: number[];
  fields: readonly string[];
}

/** A value that is not stored, of a reading whose other values are stored. */
export interface LeftOutValue {
  /** Position of the reading in the message, from 0. */
  index: number;
  /** Name of the field in quotation marks; truncated. */
  field: string;
  reason: DeadLetterReason;
  /** A sentence for operators. */
  detail: string;
  detailCode?: DetailCode | undefined;
}

/** The parts of a dead letter about readings that are stored without some of their values. */
export interface PartsOfReadings {
  /** A replay stores only the other fields of these readings. */
  partlyStored?: readonly PartlyStored[] | undefined;
  /** The first values that are left out. */
  leftOut?: readonly LeftOutValue[] | undefined;
}

/** As attributes of the dead letter's item; none where no reading is stored in part. */
export function partDocuments({ partlyStored, leftOut }: PartsOfReadings): Document {
  return {
    ...(partlyStored && {
      partlyStored: partlyStored.map(({ indexes, fields }) => ({ indexes, fields: [...fields] })),
    }),
    ...(leftOut && {
      leftOut: leftOut.map(({ detailCode, ...value }) => ({
        ...value,
        ...(detailCode && { detailCode: { ...detailCode } }),
      })),
    }),
  };
}

export function parseParts({ partlyStored, leftOut }: Document): PartsOfReadings {
  return {
    ...(Array.isArray(partlyStored) && { partlyStored: partlyStored.map(parsePart) }),
    ...(Array.isArray(leftOut) && { leftOut: leftOut.map(parseLeftOut) }),
  };
}

function parsePart(value: DocumentValue): PartlyStored {
  const { indexes, fields } = Object(value) as Document;
  return {
    indexes: Array.isArray(indexes) ? indexes.map(Number) : [],
    fields: Array.isArray(fields) ? fields.map(String) : [],
  };
}

function parseLeftOut(value: DocumentValue): LeftOutValue {
  const { index, field, reason, detail, detailCode } = Object(value) as Document;
  const code = parseDetailCode(detailCode);
  return {
    index: Number(index),
    field: typeof field === 'string' ? field : '',
    reason: parseReason(reason),
    detail: typeof detail === 'string' ? detail : '',
    ...(code && { detailCode: code }),
  };
}
