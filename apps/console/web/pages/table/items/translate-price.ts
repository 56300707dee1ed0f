import { defineTranslations } from '../../../i18n/define-translations.ts';
import { priceJa } from './price-ja.ts';
import type { ItemsPage } from './items-request.ts';

const translate = defineTranslations({ ja: priceJa });

/** How the price is computed, in the user's language; undefined without a translation. */
export function whyOf({ whyCode }: ItemsPage['price']): string | undefined {
  return whyCode && translate(whyCode.code, whyCode.values);
}
