import { parseExactJson, parseTime, UnfitNumber } from '@engawa/model';
import { Rejection } from '../refusals/rejection.ts';
import { readText } from './payload.ts';
import { isNumberText } from './quantities.ts';
import { basePrefix } from './topic-filter.ts';
import { ignored, oneReading, unproven } from './decoder.ts';
import type { DecoderKind, DeviceIdOptions } from './decoder.ts';
import type { MatchedTopic } from './topic-filter.ts';

/**
 * States of Home Assistant without a value (`STATE_UNKNOWN`, `STATE_UNAVAILABLE`), and the number that sensors and
 * templates have without a value, as Python and JavaScript write it.
 */
const noState: ReadonlySet<string> = new Set(['unknown', 'unavailable', 'nan', 'NaN']);

/** Levels of MQTT discovery, which uses the same topics by default: descriptions and commands, no values. */
const discoveryLevels: ReadonlySet<string> = new Set(['config', 'set']);

/** Attributes that some versions publish as texts instead of JSON. */
const timestamps: ReadonlySet<string> = new Set(['last_updated', 'last_changed']);

/** Home Assistant's `mqtt_statestream`: `<base>/<domain>/<entity>/<attribute>`, one value per message. */
export const statestream: DecoderKind = {
  name: 'statestream',
  defaultFilters: ['homeassistant/+/+/+'],
  deviceOf: statestreamDevice,
  create:
    ({ deviceIds }) =>
    ({ filter, levels, payload }) => {
      const [, , attribute] = levels.slice(-3);
      if (attribute === undefined || discoveryLevels.has(attribute) || payload.length === 0) {
        return ignored();
      }
      const text = readText(payload);
      if (attribute === 'state' && noState.has(text)) return ignored();
      const value = attribute === 'state' ? stateOf(text) : attributeOf(text);
      if (filter.isDefault && !isOfStatestream(attribute, text, value)) return unproven();
      // An attribute called `state` has the topic of the state.
      const isState = attribute === 'state' && text.startsWith('"') && value !== text;
      const name = isState ? 'attributes.state' : attribute;
      const device = statestreamDevice({ filter, levels }, { deviceIds });
      return oneReading(device, undefined, { [name]: value });
    },
};

function statestreamDevice(
  { filter, levels }: MatchedTopic,
  { deviceIds }: DeviceIdOptions,
): string {
  const [domain = '', entity = ''] = levels.slice(-3);
  const base = { filter, levels: levels.slice(0, -3) };
  return `${deviceIds === 'distinct' ? basePrefix(base) : ''}${domain}.${entity}`;
}

/** States are texts in Home Assistant; numbers are stored as exact numbers. In quotation marks it is an attribute. */
function stateOf(text: string): unknown {
  return isNumberText(text) || text.startsWith('"') ? attributeOf(text) : text;
}

/**
 * Whether Home Assistant may have published the value: a state is never an object or a list, and an attribute is JSON.
 * Devices with MQTT discovery publish other values on the same topics.
 */
function isOfStatestream(attribute: string, text: string, value: unknown): boolean {
  if (attribute === 'state') return !/^\s*[{[]/.test(text);
  const isJson = value !== text || isNumberText(text);
  return isJson || (timestamps.has(attribute) && parseTime(text) !== undefined);
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
