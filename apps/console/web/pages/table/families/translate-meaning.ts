import { defineTranslations } from '../../../i18n/define-translations.ts';
import { meaningsJa } from './meanings-ja.ts';
import type { Family } from './family-keys.ts';

const translate = defineTranslations({ ja: meaningsJa });

/** The meaning of a family in the user's language; undefined without a translation. */
export function meaningOf({ name }: Pick<Family, 'name'>): string | undefined {
  return translate(name, undefined);
}
