import { isObject, readPayload, readText } from '../decoders/payload.ts';
import { uniqueFields, valuesWithout } from '../decoders/quantities.ts';
import { Rejection } from '../refusals/rejection.ts';
import { FieldMapping } from './field-mapping.ts';
import { PayloadPath } from './payload-path.ts';
import { TextTemplate } from './text-template.ts';
import { timeRule } from './time-rule.ts';
import { TopicTemplate } from './topic-template.ts';
import type { Draft } from '../decoders/decoder.ts';
import type { Element } from './field-mapping.ts';
import type { MessageRule } from './mapping-document.ts';
import type { TimeRule } from './time-rule.ts';
import type { Captured } from './topic-template.ts';

/** A reading that a message contains, with the device that it names. */
export interface MappedReading {
  device: string;
  draft: Draft;
}

type PayloadFields = Readonly<Record<string, unknown>>;

/** Reads the messages of one topic template. */
export class MessageMapping {
  readonly topic: TopicTemplate;
  readonly isIgnored: boolean;
  readonly #rule: MessageRule;
  readonly #each: PayloadPath | undefined;
  readonly #device: TextTemplate | undefined;
  readonly #time: { from: PayloadPath; name: string; read: TimeRule } | undefined;
  readonly #fields: readonly FieldMapping[];
  readonly #omitted: readonly PayloadPath[];
  readonly #required: readonly PayloadPath[];

  /** @throws RangeError for a path, a template or a time zone that is none */
  constructor(rule: MessageRule) {
    const { device, each, time, fields, omit, requires } = rule;
    this.#rule = rule;
    this.topic = new TopicTemplate(rule.topic);
    this.isIgnored = rule.ignore === true;
    if (!this.isIgnored && device === undefined)
      throw new RangeError('device is missing: name the device of these messages, or ignore them');
    const { names } = this.topic;
    this.#device = device === undefined ? undefined : new TextTemplate(device, names);
    this.#each = each === undefined ? undefined : new PayloadPath(each);
    this.#time = time && {
      from: new PayloadPath(time.from),
      name: time.from,
      read: timeRule(time),
    };
    this.#fields = fields.map((field) => new FieldMapping(field, names));
    this.#omitted = omit.map((path) => new PayloadPath(path));
    this.#required = requires.map((path) => new PayloadPath(path));
  }

  /** The device that the topic alone names; undefined where the payload names it. */
  deviceOf(levels: Captured): string | undefined {
    if (this.#device === undefined || this.#device.usesPayload) return undefined;
    return this.#device.fill({ levels, beside: undefined });
  }

  /** @throws Rejection for a payload that is neither JSON nor CBOR, or no text */
  parse(payload: Uint8Array): unknown {
    return this.#rule.payload === 'text' ? readText(payload) : readPayload(payload);
  }

  /** Whether the payload has what messages of this kind have. */
  accepts(payload: unknown): boolean {
    return this.#required.every((path) => path.find(payload).length > 0);
  }

  /**
   * @param payload as `parse` returns it
   * @param receivedAt epoch milliseconds
   * @throws Rejection for a reading whose device has no name
   */
  read(levels: Captured, payload: unknown, receivedAt: number): MappedReading[] {
    return this.#elementsOf(payload, levels).flatMap((element) => {
      const fields = this.#fieldsOf(element);
      if (Object.keys(fields).length === 0) return [];
      const draft = { ...this.#timeOf(element, receivedAt), fields };
      return [{ device: this.#deviceOfElement(element), draft }];
    });
  }

  #elementsOf(payload: unknown, levels: Captured): Element[] {
    if (this.#each === undefined) return [{ value: payload, key: undefined, payload, levels }];
    return this.#each
      .find(payload)
      .map(({ value, path }) => ({ value, key: path.at(-1), payload, levels }));
  }

  #deviceOfElement({ levels, key, value }: Element): string {
    const device = this.#device?.fill({ levels, key, beside: value });
    if (device !== undefined && device !== '') return device;
    throw new Rejection('payload-without-device', { attribute: this.#rule.device });
  }

  #timeOf({ value, payload }: Element, receivedAt: number): Pick<Draft, 'time' | 'timeName'> {
    if (this.#time === undefined) return { time: undefined };
    const { from, name, read } = this.#time;
    return {
      time: read(from.first(from.isAbsolute ? payload : value), receivedAt),
      timeName: name,
    };
  }

  #fieldsOf(element: Element): PayloadFields {
    const taken: (readonly string[])[] = [];
    const named = this.#fields.flatMap((field) => field.read(element, taken));
    const entries = named.map(({ name, value }) => [name, value] as const);
    if (this.#rule.others === 'drop' || !isObject(element.value)) return uniqueFields(entries);
    for (const path of this.#aside())
      taken.push(...path.find(element.value).map((found) => found.path));
    return uniqueFields([...Object.entries(valuesWithout(element.value, taken)), ...entries]);
  }

  /** Paths of values that are no fields. */
  #aside(): PayloadPath[] {
    const time = this.#time?.from;
    return time === undefined || time.isAbsolute ? [...this.#omitted] : [...this.#omitted, time];
  }
}
