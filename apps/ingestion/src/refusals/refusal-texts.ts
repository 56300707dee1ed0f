import { invariant } from '@engawa/errors';
import type { DeadLetterReason } from '@engawa/model';

/** The parameters of a refusal's text: those that its code needs. */
export interface RefusalValues {
  /** The name of a field or metric, in quotation marks, and truncated. */
  field?: string | undefined;
  /** The message of a parser, of the table or of a check, in English. */
  message?: string | undefined;
  /** ISO 8601, or the name of the attribute that should have a time. */
  time?: string | undefined;
  attribute?: string | undefined;
  bytes?: number | undefined;
  readings?: number | undefined;
  /** The maximum that is exceeded: bytes, levels of nesting, days. */
  max?: number | undefined;
  /** Of a device. */
  kind?: string | undefined;
  /** Of Sparkplug: the alias of a metric, the type of a message, the levels that its topic must have. */
  alias?: string | undefined;
  messageType?: string | undefined;
  levels?: number | undefined;
}

/** Tags a text. @throws InvariantError where a refusal lacks a value: no text says `undefined` */
function textOf(texts: TemplateStringsArray, ...values: (string | number | undefined)[]): string {
  return String.raw({ raw: texts }, ...values.map((value) => invariant(value, hasValues)));
}

const hasValues = 'a refusal has the values of its text';

type Text = string | ((values: RefusalValues) => string);

const because =
  (reason: DeadLetterReason) =>
  (text: Text): { reason: DeadLetterReason; text: Text } => ({ reason, text });

const malformed = because('malformed');
const badDevice = because('bad_device');
const badField = because('bad_field');
const badTime = because('bad_time');
const badNumber = because('bad_number');
const tooDeep = because('too_deep');
const tooLarge = because('too_large');
const unknownAlias = because('unknown_alias');

const ofPayloads = {
  'payload-undecodable': malformed(
    ({ message }) => textOf`the payload cannot be decoded: ${message}`,
  ),
  'payload-unreadable': malformed(({ message }) => textOf`the payload cannot be read: ${message}`),
  'payload-not-json': malformed(
    ({ message }) => textOf`the payload is not JSON in UTF-8: ${message}`,
  ),
  'payload-gzip': malformed('the payload is compressed with gzip: send it uncompressed'),
  'payload-utf-16': malformed('the payload is UTF-16: send it in UTF-8'),
  'payload-ends-with-nul': malformed(
    'the payload ends with a NUL: its length must not count the terminator of a C string',
  ),
  'payload-not-text': malformed('the payload is not text in UTF-8'),
  'payload-not-object': malformed('the payload is not an object with fields'),
  'payload-too-deep': tooDeep('the payload is nested too deeply to be read'),
  'attribute-too-deep': tooDeep('the attribute is nested too deeply to be read'),
  'array-empty': malformed('the array has no reading in it'),
  'properties-missing': malformed('the payload has no list echonetlite_properties'),
  'property-not-object': malformed('a property is not an object'),
  'property-without-name': badField('a property has no name'),
  'value-missing': malformed('the payload has no val'),
  'params-missing': malformed('a notification without params'),
  'output-not-json': malformed(
    'the payload is not an object: Zigbee2MQTT must be set to output json, not attribute',
  ),
  'not-sparkplug': malformed(({ message }) => textOf`not a Sparkplug B payload: ${message}`),
  'metric-name-not-text': malformed('the name of a metric is not UTF-8'),
  'metric-value-not-text': malformed('the value of a metric is not UTF-8'),
  'metric-without-name': malformed('a metric has neither a name nor an alias'),
  'alias-not-born': unknownAlias(
    ({ alias }) => textOf`the last known birth before the message does not name the alias ${alias}`,
  ),
  'type-not-born': unknownAlias(
    ({ field }) =>
      textOf`the last known birth before the message does not give the type of the metric ${field}, whose value may be negative`,
  ),
  'no-decoder': because('no_decoder')('no decoder takes this topic'),
  'payload-unrecognized': because('no_decoder')(
    'no decoder recognizes the payload: a topic filter in DECODERS selects one for the topic',
  ),
  'topic-levels': badDevice(
    ({ messageType, levels }) =>
      textOf`a topic of ${messageType} has ${levels} levels after spBv1.0`,
  ),
  'payload-without-device': badDevice(
    ({ attribute }) =>
      textOf`the payload has no ${attribute}, which the mapping names the device after`,
  ),
  'payload-not-mapped': because('no_decoder')(
    'no entry of the mapping takes the payload: it lacks values that they require',
  ),
  'payload-not-gzip': malformed(
    ({ message }) => textOf`the payload is not gzip, which the mapping names: ${message}`,
  ),
  'payload-too-large-decompressed': tooLarge(
    ({ max }) => textOf`the payload has more than ${max} bytes when it is decompressed`,
  ),
  'mapping-too-many-steps': tooLarge(
    ({ max }) => textOf`the mapping needs more than ${max} steps to read the payload`,
  ),
  'too-many-devices': tooLarge(
    ({ max }) => textOf`the payload has readings of more than ${max} devices`,
  ),
  'topic-level-empty': badDevice('a level of the topic is empty'),
  'message-too-large': tooLarge(
    ({ bytes, readings }) =>
      textOf`the message, of ${readings === undefined ? textOf`${bytes} bytes` : textOf`${bytes} bytes with ${readings} readings`}, takes more memory than one message may take`,
  ),
};

const ofReadings = {
  'reading-not-json': malformed(({ message }) => textOf`it is not JSON in UTF-8: ${message}`),
  'reading-too-deep': tooDeep('the reading is nested too deeply to be read'),
  'reading-too-long': tooLarge('the reading has more than 1 MB'),
  'reading-too-large': tooLarge(
    ({ bytes, max }) => textOf`the reading has ${bytes} bytes; the maximum is ${max}`,
  ),
  'reading-not-object': malformed(
    ({ attribute }) => textOf`the reading is ${attribute}, not an object`,
  ),
  'reading-without-field': badField('the reading has no field'),
  'fields-too-deep': tooDeep(
    ({ field, max }) => textOf`field ${field}: fields are nested more than ${max} deep`,
  ),
  'field-bytes': badField(
    ({ field }) => textOf`field ${field} is a string of bytes, which is not kept`,
  ),
  'field-name-not-text': badField(
    ({ field, attribute }) => textOf`field ${field} has a ${attribute} for a name, not a text`,
  ),
  'field-name-empty': badField(({ field }) => textOf`field ${field} has an empty name`),
  'field-name-reserved': badField(({ field }) => textOf`field ${field} is called __proto__`),
  'field-name-half-pair': badField(
    ({ field }) => textOf`field ${field} has half of a surrogate pair in its name`,
  ),
  'field-name-too-long': badField(
    ({ field, max }) => textOf`field ${field} has a name of more than ${max} bytes`,
  ),
  'field-too-large': tooLarge(
    ({ field, bytes, max }) => textOf`field ${field} has ${bytes} bytes; the maximum is ${max}`,
  ),
  'field-twice': badField(({ field }) => textOf`two fields are called ${field}`),
  'field-twice-flattened': badField(
    ({ field }) => textOf`two fields are called ${field} once they are flattened`,
  ),
  'field-half-pair': badField(({ field }) => textOf`field ${field} has half of a surrogate pair`),
  'number-unfit': badNumber(({ field, message }) => textOf`field ${field}: ${message}`),
  'time-not-readable': badTime(
    ({ attribute }) =>
      textOf`${attribute} must be ISO-8601 with an offset, or epoch seconds or milliseconds`,
  ),
  'time-without-offset': badTime(
    ({ attribute }) =>
      textOf`${attribute} is a local time, which needs an offset, such as Z or +09:00`,
  ),
  'time-epoch-in-text': badTime(
    ({ attribute }) =>
      textOf`${attribute} is an epoch in a text: send it as a number, without quotation marks`,
  ),
  'time-out-of-years': badTime(
    ({ attribute }) => textOf`${attribute} is outside the years 0000 to 9999`,
  ),
  'time-ahead': badTime(({ attribute, time }) => textOf`${attribute} is too far ahead: ${time}`),
  'time-long-ago': badTime(({ attribute, time }) => textOf`${attribute} is too long ago: ${time}`),
  'reading-expired': because('expired')(
    ({ time, kind, max }) =>
      textOf`the reading of ${time} is older than the ${max} days for which readings of devices of the kind ${kind} are kept`,
  ),
  'device-missing': badDevice('the reading does not name its device, nor does ?device='),
  'device-invalid': badDevice(({ message }) => textOf`${message}`),
  'device-not-registered': because('not_admitted')('the device is not registered'),
  'table-rejects': because('refused_by_table')(({ message }) => textOf`${message}`),
  'internal-error': because('internal_error')(
    ({ message }) => textOf`an error in Engawa: ${message}`,
  ),
};

const ofDeadLetters = {
  'dead-letter-too-large': tooLarge(
    ({ bytes, max }) =>
      textOf`the dead letter has ${bytes} bytes, at most ${max} are replayed: fetch its payload in ranges and send its readings in smaller messages`,
  ),
  'dead-letter-incomplete': tooLarge('a part of the dead letter is missing'),
  'dead-letter-rejected': because('refused_by_table')(
    'the table refused the whole dead letter; only topic and payload are kept',
  ),
};

const refusals = { ...ofPayloads, ...ofReadings, ...ofDeadLetters };

/** Stable: clients translate by them (docs/adr/0090-codes-beside-texts.md). */
export type RefusalCode = keyof typeof refusals;

export const refusalCodes = Object.keys(refusals) as RefusalCode[];

export function isRefusalCode(code: string): code is RefusalCode {
  return Object.hasOwn(refusals, code);
}

export function reasonOfCode(code: RefusalCode): DeadLetterReason {
  return refusals[code].reason;
}

/** In English, for operators. */
export function refusalText(code: RefusalCode, values: RefusalValues): string {
  const { text } = refusals[code];
  return typeof text === 'string' ? text : text(values);
}
