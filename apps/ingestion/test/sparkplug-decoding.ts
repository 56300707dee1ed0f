import { decode, newDecoders, readingsOf } from './decoding.ts';
import { rejectionOf } from './rejection-of.ts';
import { sparkplugPayload } from './sparkplug.ts';
import type { Reading } from '@engawa/model';
import type { Decoded, Decoder } from '../src/decoders/decoder.ts';

type Metrics = Record<string, unknown>[];

/** A Sparkplug decoder, and the outcome of messages on the topics below `spBv1.0`. */
export class SparkplugDecoding {
  readonly decoders: readonly Decoder[] = newDecoders('sparkplug');

  decode(path: string, metrics: Metrics, more?: Record<string, unknown>): Decoded {
    return decode(this.decoders, `spBv1.0/${path}`, sparkplugPayload(metrics, more));
  }

  readings(path: string, metrics: Metrics, more?: Record<string, unknown>): Reading[] {
    return readingsOf(this.decode(path, metrics, more));
  }

  reasonOf(path: string, metrics: Metrics, more?: Record<string, unknown>): string {
    return rejectionOf(() => this.readings(path, metrics, more)).reason;
  }
}
