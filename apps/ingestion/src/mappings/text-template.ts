import { Decimal } from '@engawa/model';
import { maxNameBytes } from '../refusals/field-name.ts';
import { PayloadPath } from './payload-path.ts';
import type { StepCount } from './mapping-limits.ts';
import type { Captured } from './topic-template.ts';

/** What a template may name. */
export interface Named {
  levels: Captured;
  /** The name that the last wildcard of the path stands for. */
  key?: string | undefined;
  /** The value beside which `{.path}` is looked up. */
  beside: unknown;
  count: StepCount;
}

type Part = string | ((named: Named) => string | undefined);

/** A text with placeholders: `{portal}/{key}`, `{.Device}`. */
export class TextTemplate {
  readonly #parts: readonly Part[];
  /** Whether it depends on the payload. */
  readonly usesPayload: boolean;
  readonly usesKey: boolean;

  /**
   * @param levels that the topic has
   * @throws RangeError for a placeholder that is none of them
   */
  constructor(text: string, levels: readonly string[]) {
    const parts = text.split(/(\{[^{}]*\})/).filter((part) => part !== '');
    this.#parts = parts.map((part) => partOf(part, levels));
    this.usesKey = parts.includes('{key}');
    this.usesPayload = this.usesKey || parts.some((part) => part.startsWith('{.'));
  }

  /** @returns undefined where the payload lacks a value of it; too long a text is cut, and too long for a name still */
  fill(named: Named): string | undefined {
    let text = '';
    for (const part of this.#parts) {
      const next = typeof part === 'string' ? part : part(named);
      if (next === undefined) return undefined;
      text += next.length > maxNameBytes ? next.slice(0, maxNameBytes + 1) : next;
      if (text.length > maxNameBytes) return text;
    }
    return text;
  }
}

function partOf(part: string, levels: readonly string[]): Part {
  if (!part.startsWith('{')) return part;
  const name = part.slice(1, -1);
  if (name === 'key') return ({ key }) => key;
  if (name.startsWith('.')) {
    const path = new PayloadPath(name.slice(1));
    return ({ beside, count }) => textOf(path.first(beside, count));
  }
  const index = levels.indexOf(name);
  if (index !== -1) return ({ levels: captured }) => captured[index];
  const known = ['key', ...levels].map((level) => `{${level}}`).join(', ');
  throw new RangeError(`${part} is not a level of the topic; there are ${known}`);
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const isPlain = typeof value === 'number' || typeof value === 'boolean';
  return isPlain || value instanceof Decimal ? String(value) : undefined;
}
