import { series } from '../../series.ts';
import { alertRule } from '../rule.ts';

/** Messages of each decoder with an outcome in six hours, at an earlier time if `ago` is given. */
const messages = (outcome: string, ago?: string): string => {
  const counter = series('engawa_ingest_messages_total', `outcome="${outcome}"`);
  const offset = ago === undefined ? '' : ` offset ${ago}`;
  return `sum by (namespace, release, decoder) (increase(${counter}[6h]${offset})) > 0`;
};

/**
 * Messages of other publishers on default topics are unrecognized for ever, and need nobody. So this alert is of a
 * decoder that has stored messages at the same time of a day or a week ago, and stores none now. On topics of several
 * decoders a message is counted for the last one.
 */
export const unrecognizedMessages = alertRule({
  name: 'EngawaUnrecognizedMessages',
  expression: `${messages('unrecognized')}
unless
${messages('stored')}
and (
  ${messages('stored', '1d')}
  or
  ${messages('stored', '1w')}
)`,
  holdsFor: '6h',
  severity: 'warning',
  summary: '{{ $labels.release }}: messages of {{ $labels.decoder }} are no longer recognized',
  description:
    'In the last 6 hours the decoder {{ $labels.decoder }} has stored no message, and has not recognized {{ $value | printf "%.0f" }} messages on its default topics. It has stored messages before. Unrecognized messages are not stored; the log of ingestion names their topics.',
  dashboard: 'engawa-ingestion',
});
