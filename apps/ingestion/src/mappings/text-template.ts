import { PayloadPath } from './payload-path.ts';
import type { Captured } from './topic-template.ts';

/** What a template may name. */
export interface Named {
  levels: Captured;
  /** The name that the last wildcard of the path stands for. */
  key?: string | undefined;
  /** The value beside which `{.path}` is looked up. */
  beside: unknown;
}

type Part = (named: Named) => string | undefined;

/** A text with placeholders: `{portal}/{key}`, `{.Device}`. */
export class TextTemplate {
  readonly #parts: readonly Part[];
  /** Whether it depends on the payload. */
  readonly usesPayload: boolean;

  /**
   * @param levels that the topic has
   * @throws RangeError for a placeholder that is none of them
   */
  constructor(text: string, levels: readonly string[]) {
    let usesPayload = false;
    this.#parts = text.split(/(\{[^{}]*\})/).map((part): Part => {
      if (!part.startsWith('{')) return () => part;
      const name = part.slice(1, -1);
      if (levels.includes(name)) return ({ levels: captured }) => captured[name];
      usesPayload = true;
      if (name === 'key') return ({ key }) => key;
      if (name.startsWith('.')) {
        const path = new PayloadPath(name.slice(1));
        return ({ beside }) => textOf(path.first(beside));
      }
      throw new RangeError(
        `${part} is not a level of the topic; there are ${['key', ...levels].map((level) => `{${level}}`).join(', ')}`,
      );
    });
    this.usesPayload = usesPayload;
  }

  /** @returns undefined where the payload lacks a value of it */
  fill(named: Named): string | undefined {
    let text = '';
    for (const part of this.#parts) {
      const next = part(named);
      if (next === undefined) return undefined;
      text += next;
    }
    return text;
  }
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
