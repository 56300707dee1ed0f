import { gunzipSync } from 'node:zlib';
import { readPayload, readText } from '../decoders/payload.ts';
import { Rejection } from '../refusals/rejection.ts';
import { maxDecompressedBytes } from './mapping-limits.ts';
import type { MessageRule } from './mapping-document.ts';

type Form = Pick<MessageRule, 'payload' | 'compression'>;

/** A payload in the forms that the entries of a mapping read; it is parsed once in each form. */
export class PayloadForms {
  readonly #payload: Uint8Array;
  readonly #known: { form: Form; value: unknown }[] = [];

  constructor(payload: Uint8Array) {
    this.#payload = payload;
  }

  /** @throws Rejection for a payload that does not have the form */
  read(form: Form): unknown {
    for (const known of this.#known) if (isSame(known.form, form)) return known.value;
    const bytes = form.compression === 'gzip' ? decompressed(this.#payload) : this.#payload;
    const value = form.payload === 'text' ? readText(bytes) : readPayload(bytes);
    this.#known.push({ form, value });
    return value;
  }
}

function isSame(one: Form, other: Form): boolean {
  return one.payload === other.payload && one.compression === other.compression;
}

function decompressed(payload: Uint8Array): Uint8Array {
  try {
    return gunzipSync(payload, { maxOutputLength: maxDecompressedBytes });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === 'ERR_BUFFER_TOO_LARGE'
      ? new Rejection('payload-too-large-decompressed', { max: maxDecompressedBytes })
      : new Rejection('payload-not-gzip', { message });
  }
}
