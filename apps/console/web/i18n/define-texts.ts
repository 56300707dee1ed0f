import { computed } from '@preact/signals';
import { language } from './language.ts';
import type { ReadonlySignal } from '@preact/signals';

/** The shape of a catalogue, with any text in the place of each text of the original. */
export type Catalogue<Texts> = {
  readonly [Name in keyof Texts]: Texts[Name] extends string
    ? string
    : Texts[Name] extends (...args: infer Args) => string
      ? (...args: Args) => string
      : Catalogue<Texts[Name]>;
};

/**
 * The texts of a page in the user's language: `houseTexts.value.title`. A text that is missing in Japanese, or that
 * English does not have, fails compilation.
 */
export function defineTexts<const En, const Ja extends Catalogue<En>>(
  en: En,
  ja: Ja & Record<Exclude<keyof Ja, keyof En>, never>,
): ReadonlySignal<Catalogue<En>> {
  const catalogues = { en: en as Catalogue<En>, ja: ja as Catalogue<En> };
  return computed(() => catalogues[language.value]);
}
