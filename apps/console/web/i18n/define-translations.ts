import { language } from './language.ts';
import type { Language } from './language.ts';

/** The languages that are not that of the services' own texts. */
type TranslatedLanguage = Exclude<Language, 'en'>;

/** A text, or one with the parameters of its code. */
export type Translation<Values> = string | ((values: Values) => string);

/** The texts of all codes that the contract of the services lists. */
export type Translations<Code extends string, Values = undefined> = Readonly<
  Record<Code, Translation<Values>>
>;

export type Translate<Values> = (code: string | undefined, values: Values) => string | undefined;

/**
 * Translations of the services' texts by their codes. A code of the contract without a translation fails compilation.
 * The result is undefined in English, and for a code of a newer service: then the text of the service is shown
 * (`ServiceText`).
 */
export function defineTranslations<Code extends string, Values>(
  catalogues: Readonly<Record<TranslatedLanguage, Translations<Code, Values>>>,
): Translate<Values> {
  return (code, values) => {
    if (code === undefined || language.value === 'en') return undefined;
    return translate<Values>(catalogues[language.value], code, values);
  };
}

/** Undefined for a code that the catalogue lacks. */
export function translate<Values>(
  catalogue: Translations<string, Values>,
  code: string,
  values: Values,
): string | undefined {
  if (!Object.hasOwn(catalogue, code)) return undefined;
  const text = catalogue[code];
  return typeof text === 'function' ? text(values) : text;
}
