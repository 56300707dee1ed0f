import { parseExactJson, UnfitNumber } from '@engawa/model';
import { Rejection } from '../refusals/rejection.ts';
import { readText } from './payload.ts';
import { ignored, oneReading } from './decoder.ts';
import type { DecoderKind } from './decoder.ts';

/** RFC 8259, section 6. */
const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** States of Home Assistant without a value (`STATE_UNKNOWN`, `STATE_UNAVAILABLE`). */
const noState: ReadonlySet<string> = new Set(['unknown', 'unavailable']);

/** Home Assistant's `mqtt_statestream`: `<base>/<domain>/<entity>/<attribute>`, one value per message. */
export const statestream: DecoderKind = {
  name: 'statestream',
  defaultFilters: ['homeassistant/+/+/+'],
  create:
    () =>
    ({ levels, payload }) => {
      const [domain, entity, attribute] = levels.slice(-3);
      // `config` is MQTT discovery, which uses the same topics by default.
      if (attribute === undefined || attribute === 'config' || payload.length === 0) {
        return ignored();
      }
      const text = readText(payload);
      if (attribute === 'state' && noState.has(text)) return ignored();
      const value = attribute === 'state' ? stateOf(text) : attributeOf(text);
      if (isEmpty(value)) return ignored();
      return oneReading(`${domain}.${entity}`, undefined, { [attribute]: value });
    },
};

/** States are texts in Home Assistant; numbers are stored as exact numbers. */
function stateOf(text: string): unknown {
  return jsonNumber.test(text) ? attributeOf(text) : text;
}

/** Attributes are JSON, except texts of older versions. */
function attributeOf(text: string): unknown {
  try {
    const value = parseExactJson(text);
    // A text keeps all its digits.
    return value instanceof UnfitNumber ? text : value;
  } catch (error) {
    if (error instanceof RangeError) {
      throw new Rejection('attribute-too-deep');
    }
    return text;
  }
}

/** An empty list or object has no field to store. */
function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const plain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return plain && Object.keys(value).length === 0;
}
