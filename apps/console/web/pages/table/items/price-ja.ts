import type { query } from '@engawa/client';
import type { Translations } from '../../../i18n/translations.ts';

type PriceCode = NonNullable<query.GetTableItemsOutput['price']['whyCode']>;
type PriceValues = PriceCode['values'];

const formatNumber = (value: number): string => value.toLocaleString('ja');
const kilobytes = (bytes: number): string => `${formatNumber(bytes / 1024)} KB`;
const oneQuery =
  '1 つのパーティションへの Query 1 回（結果整合性）：読み込む 4 KB ごとに 0.5 ユニット、最低 0.5 ユニット。';
const cost = ({ items, estimatedUnits, usualUnits }: PriceValues): string =>
  `${formatNumber(items)} 件で最大 ${formatNumber(estimatedUnits)} ユニット、1 件 1 KB なら ${formatNumber(usualUnits)} ユニットです。`;

export const priceJa: Translations<PriceCode['code'], PriceValues> = {
  'bounded-by-page': (values) =>
    `${oneQuery}ページは項目の合計が ${kilobytes(values.maxPageBytes)} を超えると終わり、最後の項目は最大 ${kilobytes(values.maxItemBytes)} なので、${cost(values)}`,
  'bounded-by-items': (values) =>
    `${oneQuery}項目は最大 ${kilobytes(values.maxItemBytes)} なので、${cost(values)}`,
};
