import { defineTranslations } from '../../../i18n/define-translations.ts';
import { formatNumber } from '../../../i18n/format.ts';
import type { Translations } from '../../../i18n/define-translations.ts';
import type { ItemsPage } from './items-request.ts';

type PriceCode = NonNullable<ItemsPage['price']['whyCode']>;
type PriceValues = PriceCode['values'];

const kilobytes = (bytes: number): string => `${formatNumber(bytes / 1024)} KB`;
const query =
  '1 つのパーティションへの Query 1 回（結果整合性）：読み込む 4 KB ごとに 0.5 ユニット、最低 0.5 ユニット。';
const cost = ({ items, estimatedUnits, usualUnits }: PriceValues): string =>
  `${formatNumber(items)} 件で最大 ${formatNumber(estimatedUnits)} ユニット、1 件 1 KB なら ${formatNumber(usualUnits)} ユニットです。`;

export const priceJa: Translations<PriceCode['code'], PriceValues> = {
  'bounded-by-page': (values) =>
    `${query}ページは項目の合計が ${kilobytes(values.maxPageBytes)} を超えると終わり、最後の項目は最大 ${kilobytes(values.maxItemBytes)} なので、${cost(values)}`,
  'bounded-by-items': (values) =>
    `${query}項目は最大 ${kilobytes(values.maxItemBytes)} なので、${cost(values)}`,
};

const translate = defineTranslations({ ja: priceJa });

/** How the price is computed, in the user's language; undefined without a translation. */
export function whyOf({ whyCode }: ItemsPage['price']): string | undefined {
  return whyCode && translate(whyCode.code, whyCode.values);
}
