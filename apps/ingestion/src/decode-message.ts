import { id, KeyError } from '@engawa/keys';
import { parseExactJson } from '@engawa/model';
import { Rejection } from './rejection.ts';
import type { Decoded, Decoder } from './decoders/decoder.ts';

/** Of MQTT's topic filters the single-level wildcard, with what each stood for. */
export function matchTopic(filter: string, topic: string): string[] | undefined {
  const wanted = filter.split('/');
  const levels = topic.split('/');
  if (wanted.length !== levels.length) return undefined;
  const matched: string[] = [];
  for (const [index, level] of levels.entries()) {
    if (wanted[index] === '+') matched.push(level);
    else if (wanted[index] !== level) return undefined;
  }
  return matched;
}

export function findDecoder(decoders: readonly Decoder[], topic: string): Decoder | undefined {
  return decoders.find((decoder) => matchTopic(decoder.topic, topic) !== undefined);
}

/** @throws Rejection when nothing of the message can be stored */
export function decodeMessage(decoder: Decoder, topic: string, payload: Uint8Array): Decoded {
  const decoded = decoder.decode(matchTopic(decoder.topic, topic) ?? [], parsePayload(payload));
  return { ...decoded, device: checkedDevice(decoded.device) };
}

function checkedDevice(device: string): string {
  try {
    return id('device id', device);
  } catch (error) {
    if (error instanceof KeyError) throw new Rejection('bad_device', error.message);
    throw error;
  }
}

function parsePayload(payload: Uint8Array): unknown {
  try {
    // Fatal: a replaced character would be a changed value. A byte order mark is taken off.
    return parseExactJson(new TextDecoder('utf-8', { fatal: true }).decode(payload));
  } catch (error) {
    if (error instanceof RangeError) {
      throw new Rejection('too_deep', 'the payload is nested too deeply to be read');
    }
    throw new Rejection(
      'malformed',
      `the payload is not JSON in UTF-8: ${(error as Error).message}`,
    );
  }
}
