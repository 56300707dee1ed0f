import type { Translations } from '../../i18n/translations.ts';

/** The requirements of the services (`readiness.require`). Their reasons have addresses and errors, in English. */
export type RequirementName =
  | 'process'
  | 'table'
  | 'timeToLive'
  | 'progress'
  | 'mqtt'
  | 'brokerLimits'
  | 'clientId'
  | 'fullText'
  | 'issuerKeys'
  | 'issuer';

export const requirementsJa: Translations<RequirementName> = {
  process: '起動中または終了中です',
  table: 'テーブルを使えません',
  timeToLive: '期限切れの計測値がテーブルから削除されません',
  progress: '受信したメッセージを保存できていません',
  mqtt: 'ブローカーから受信できません',
  brokerLimits: 'ブローカーの制限により、設定どおりに受信できません',
  clientId: '別のクライアントが同じ MQTT_CLIENT_ID を使っています',
  fullText: '全文検索インデックスを使えません',
  issuerKeys: 'トークン発行者の署名鍵を取得できません',
  issuer: 'トークン発行者に接続できません',
};
