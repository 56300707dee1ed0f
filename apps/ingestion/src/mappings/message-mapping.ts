import { isObject } from '../decoders/payload.ts';
import { Rejection } from '../refusals/rejection.ts';
import { inPart } from './document-part.ts';
import { DraftsByDevice } from './drafts-by-device.ts';
import { FieldMapping } from './field-mapping.ts';
import { FieldSet } from './field-set.ts';
import { stepsPerReading } from './mapping-limits.ts';
import { PathTree } from './path-tree.ts';
import { PayloadPath } from './payload-path.ts';
import { TextTemplate } from './text-template.ts';
import { timeRule } from './time-rule.ts';
import { TopicTemplate } from './topic-template.ts';
import type { Draft } from '../decoders/decoder.ts';
import type { Element } from './field-mapping.ts';
import type { MessageRule } from './mapping-document.ts';
import type { StepCount } from './mapping-limits.ts';
import type { TimeRule } from './time-rule.ts';
import type { Captured } from './topic-template.ts';

/** A message as a mapping reads it. */
export interface MappedSource {
  levels: Captured;
  /** In the form of the mapping. */
  payload: unknown;
  /** Epoch milliseconds. */
  receivedAt: number;
  count: StepCount;
}

interface TimeMapping {
  from: PayloadPath;
  /** For error messages. */
  name: string;
  read: TimeRule;
}

/** Reads the messages of one topic template. All that does not depend on a message is made once. */
export class MessageMapping {
  readonly topic: TopicTemplate;
  readonly rule: MessageRule;
  readonly #each: PayloadPath | undefined;
  readonly #device: TextTemplate | undefined;
  readonly #time: TimeMapping | undefined;
  readonly #fields: readonly FieldMapping[];
  readonly #required: readonly PayloadPath[];
  /** Paths of values that do not keep their names. */
  readonly #taken: PathTree;
  /** For a reading, without those that depend on the payload. */
  readonly #steps: number;

  /** @throws InvalidPart for a path, a template or a time zone that is none */
  constructor(rule: MessageRule) {
    const { device, each, time, fields, omit, requires } = rule;
    this.rule = rule;
    this.topic = inPart(['topic'], () => new TopicTemplate(rule.topic));
    if (rule.ignore !== true && device === undefined)
      throw new RangeError('device is missing: name the device of these messages, or ignore them');
    const levels = this.topic.names;
    this.#each = each === undefined ? undefined : inPart(['each'], () => new PayloadPath(each));
    const hasKey = this.#each?.hasWildcard === true;
    this.#device =
      device === undefined ? undefined : inPart(['device'], () => new TextTemplate(device, levels));
    if (this.#device?.usesKey === true && !hasKey)
      throw new RangeError('{key} in device needs a * in each');
    this.#time = time && inPart(['time'], () => timeMapping(time));
    this.#fields = fields.map((field, index) =>
      inPart(['fields', index], () => new FieldMapping(field, { levels, hasKey })),
    );
    const omitted = pathsIn('omit', omit);
    this.#required = pathsIn('requires', requires);
    const named = [
      ...this.#fields.map(({ from }) => from),
      ...(this.#time ? [this.#time.from] : []),
    ];
    const own = [...named, ...omitted].filter((path) => !path.isAbsolute || each === undefined);
    this.#taken = new PathTree(own);
    const names = named.reduce((sum, path) => sum + 1 + path.names.length, 0);
    this.#steps = stepsPerReading + names;
  }

  /** The device that the topic alone names; undefined where the payload names it. */
  deviceOf(levels: Captured, count: StepCount): string | undefined {
    if (this.#device === undefined || this.#device.usesPayload) return undefined;
    return this.#device.fill({ levels, beside: undefined, count });
  }

  /** Whether the payload has what messages of this kind have. */
  accepts(payload: unknown, count: StepCount): boolean {
    return this.#required.every((path) => {
      count.add(path.names.length);
      return path.first(payload, count) !== undefined;
    });
  }

  /** @throws Rejection for a reading whose device has no name, and for more than a message may have */
  read({ levels, payload, receivedAt, count }: MappedSource): DraftsByDevice {
    const readings = new DraftsByDevice();
    const fixed = this.deviceOf(levels, count);
    for (const element of this.#elementsOf(payload, levels, count)) {
      count.add(this.#steps);
      const { fields, isEmpty } = this.#fieldsOf(element);
      if (isEmpty) continue;
      const device = fixed ?? this.#deviceOfElement(element);
      readings.add(device, this.#draftOf(fields, element, receivedAt));
    }
    return readings;
  }

  #elementsOf(payload: unknown, levels: Captured, count: StepCount): Element[] {
    const common = { payload, levels, count };
    if (this.#each === undefined) return [{ value: payload, key: undefined, ...common }];
    if (this.#each.hasWildcard)
      return this.#each
        .find(payload, count)
        .map(({ value, name }) => ({ value, key: name, ...common }));
    const value = this.#each.at(payload);
    return value === undefined ? [] : [{ value, key: this.#each.lastName, ...common }];
  }

  #deviceOfElement({ levels, key, value, count }: Element): string {
    const device = this.#device?.fill({ levels, key, beside: value, count });
    if (device !== undefined && device !== '') return device;
    throw new Rejection('payload-without-device', { attribute: this.rule.device });
  }

  #draftOf(fields: Draft['fields'], { value, payload, count }: Element, receivedAt: number): Draft {
    if (this.#time === undefined) return { time: undefined, fields };
    const { from, name, read } = this.#time;
    const time = read(from.first(from.isAbsolute ? payload : value, count), receivedAt);
    return { time, timeName: name, fields };
  }

  #fieldsOf(element: Element): FieldSet {
    const { value, count } = element;
    const isKept = this.rule.others === 'keep' && isObject(value);
    const fields = isKept ? this.#taken.othersIn(value, count) : new FieldSet();
    for (const field of this.#fields) field.read(element, fields);
    return fields;
  }
}

function timeMapping(time: NonNullable<MessageRule['time']>): TimeMapping {
  const from = inPart(['from'], () => new PayloadPath(time.from));
  return { from, name: time.from, read: timeRule(time) };
}

function pathsIn(name: string, texts: readonly string[]): PayloadPath[] {
  return texts.map((text, index) => inPart([name, index], () => new PayloadPath(text)));
}
