import { language } from './language.ts';
import { translate } from './translations.ts';
import type { Language } from './language.ts';
import type { Translations } from './translations.ts';

/** The languages that are not that of the services' own texts. */
type TranslatedLanguage = Exclude<Language, 'en'>;

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
