import type { DocumentValue } from '../values/item-size.ts';

/** Why a message, or one reading in it, could not be stored. Bounded: it is a label of metrics. */
export const deadLetterReasons = [
  'malformed',
  'no_decoder',
  'bad_device',
  'bad_time',
  'expired',
  'bad_number',
  'bad_field',
  'too_deep',
  'too_large',
  'unknown_alias',
  'not_admitted',
  'refused_by_table',
  'internal_error',
] as const;
export type DeadLetterReason = (typeof deadLetterReasons)[number];

/** `malformed` for a reason of a newer version. */
export function parseReason(value: DocumentValue | undefined): DeadLetterReason {
  return deadLetterReasons.find((reason) => reason === value) ?? 'malformed';
}
