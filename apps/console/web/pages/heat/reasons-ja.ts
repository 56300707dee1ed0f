import type { query } from '@engawa/client';
import type { Translations } from '../../i18n/translations.ts';

type ReasonCode = query.ReasonCode['code'];
export type ReasonValues = query.ReasonCode['values'];

const unitName = ({ unit }: ReasonValues): string => (unit === 'read' ? '読み込み' : '書き込み');
const percent = ({ share = 0 }: ReasonValues): string => `${Math.round(share * 100)} %`;

const scopes: Record<NonNullable<ReasonValues['scope']>, string> = {
  key_range: 'このキーが上限を超えたため',
  table: 'プロビジョニング済みキャパシティを使い切ったため',
  account: 'アカウントのクォータを使い切ったため',
  on_demand_maximum: 'オンデマンドの上限に達したため',
  other: 'DynamoDB からの理由なし',
};

export const reasonsJa: Translations<ReasonCode, ReasonValues> = {
  used: (values) =>
    `1 パーティションの${unitName(values)}ユニットの上限の ${percent(values)} を使用`,
  'used-in-total': (values) => `ほかのプロセスとの合計 ${percent(values)}`,
  throttled: ({ scope = 'other', perSecond = 0 }) =>
    `毎秒 ${perSecond.toFixed(1)} 回のスロットル（${scopes[scope]}）`,
  'below-limit': '上限を大きく下回るため、このキーの使用量が原因ではない',
  'cooling-down': '負荷は低下中',
};
