import { cborNotation } from './cbor-notation.ts';
import { hexDump, visibleText } from './hex.ts';
import { indentJson } from './indent-json.ts';

export const payloadForms = ['text', 'json', 'cbor', 'sparkplug', 'hex'] as const;
export type PayloadForm = (typeof payloadForms)[number];

export interface Payload {
  bytes: Uint8Array;
  /** Absent where the bytes are not UTF-8. */
  text: string | undefined;
  topic: string;
  /** Whether `bytes` is the whole payload. */
  isWhole: boolean;
}

/** Sparkplug topics begin with its version (Sparkplug 3.0, section 4.1). */
export function isSparkplug(topic: string): boolean {
  return topic.includes('spBv1.0/');
}

/** The form that shows the most of a payload. */
export function bestForm(payload: Payload): PayloadForm {
  if (isSparkplug(payload.topic)) return 'sparkplug';
  if (payload.bytes.length === 0) return 'hex';
  for (const form of ['json', 'cbor'] as const) {
    // A number alone may be valid in both forms by chance.
    if (/^\s*[[{"]/.test(payload.text ?? '') !== (form === 'json')) continue;
    if (!('failure' in showPayload(payload, form))) return form;
  }
  return payload.text === undefined ? 'hex' : 'text';
}

/**
 * A payload as text.
 * @returns the reason where the payload does not have this form
 */
export function showPayload(
  { bytes, text, isWhole }: Payload,
  form: Exclude<PayloadForm, 'sparkplug'>,
  hexWidth = 16,
): { shown: string } | { failure: 'not-utf8' | 'not-whole' | { message: string } } {
  if (form === 'hex') return { shown: hexDump(bytes, hexWidth) };
  if (form !== 'cbor' && text === undefined) return { failure: 'not-utf8' };
  if (form === 'text') return { shown: visibleText(text ?? '') };
  if (!isWhole) return { failure: 'not-whole' };
  try {
    return { shown: form === 'json' ? indentJson(text ?? '') : cborNotation(bytes) };
  } catch (error) {
    return { failure: { message: (error as Error).message } };
  }
}
