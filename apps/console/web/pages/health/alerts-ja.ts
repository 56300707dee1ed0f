import type { Translations } from '../../i18n/translations.ts';

/** The labels of an alert that its summary needs. */
export type AlertLabels = Readonly<
  Partial<Record<'component' | 'pod' | 'cause' | 'reason' | 'decoder', string>>
>;

/** By the name of the alert, whose runbook is `docs/runbooks/<name>.md`. */
export type AlertName =
  | 'EngawaAbsent'
  | 'EngawaAccountLimit'
  | 'EngawaBrokerLimits'
  | 'EngawaClientIdShared'
  | 'EngawaConservationBroken'
  | 'EngawaCrashLooping'
  | 'EngawaDeadLetters'
  | 'EngawaErrorBudgetFastBurn'
  | 'EngawaErrorBudgetSlowBurn'
  | 'EngawaFullTextStale'
  | 'EngawaHotPartition'
  | 'EngawaIngestionStalled'
  | 'EngawaLatencyBudgetFastBurn'
  | 'EngawaLatencyBudgetSlowBurn'
  | 'EngawaLiveFeed'
  | 'EngawaNotReady'
  | 'EngawaParkedBlocks'
  | 'EngawaPartitionNearLimit'
  | 'EngawaReplicasMissing'
  | 'EngawaRollupsNotStored'
  | 'EngawaSessionLost'
  | 'EngawaSubscriptionSilent'
  | 'EngawaTableThrottled'
  | 'EngawaThrottledBelowLimit'
  | 'EngawaUnrecognizedMessages';

/** The process, or else the service. */
const of = ({ pod, component }: AlertLabels): string => pod ?? component ?? 'Engawa';

export const alertsJa: Translations<AlertName, AlertLabels> = {
  EngawaAbsent: (labels) =>
    labels.cause === 'missing'
      ? `${of(labels)} の Pod がありません`
      : labels.cause === 'down'
        ? `${of(labels)} のレプリカがどれも応答しません`
        : `${of(labels)} が応答しません`,
  EngawaAccountLimit: 'AWS アカウントが、このリージョンの DynamoDB のクォータに達しています',
  EngawaBrokerLimits: (labels) =>
    labels.cause === 'silence'
      ? `ブローカーの制限により ${of(labels)} は何も受信できません`
      : `ブローカーの制限により ${of(labels)} へのメッセージが失われる可能性があります`,
  EngawaClientIdShared: (labels) =>
    `別のクライアントが ${of(labels)} と同じ MQTT_CLIENT_ID を使っています`,
  EngawaConservationBroken: (labels) =>
    `${of(labels)} が受信したメッセージの数と、その結果の数が一致しません`,
  EngawaCrashLooping: (labels) => `${of(labels)} がクラッシュと再起動を繰り返しています`,
  EngawaDeadLetters: ({ reason }) =>
    `保存できないメッセージがあります${reason === undefined ? '' : `（${reason}）`}`,
  EngawaErrorBudgetFastBurn: (labels) => `${of(labels)} へのリクエストが失敗しています`,
  EngawaErrorBudgetSlowBurn: (labels) => `${of(labels)} へのリクエストの一部が失敗しています`,
  EngawaFullTextStale: (labels) =>
    labels.cause === 'missing'
      ? `${of(labels)} に全文検索インデックスがありません`
      : `${of(labels)} の全文検索インデックスの更新が遅れています`,
  EngawaHotPartition: 'DynamoDB がパーティションキーをスロットルしています',
  EngawaIngestionStalled: (labels) =>
    labels.cause === 'disconnected'
      ? `${of(labels)} がブローカーに接続していません`
      : `${of(labels)} が受信したメッセージを保存できません`,
  EngawaLatencyBudgetFastBurn: (labels) => `${of(labels)} の応答が遅くなっています`,
  EngawaLatencyBudgetSlowBurn: (labels) => `${of(labels)} の応答の一部が遅くなっています`,
  EngawaLiveFeed: (labels) =>
    labels.cause === 'full'
      ? `${of(labels)} がライブ配信の接続を拒否しています`
      : `${of(labels)} のライブ配信の受信側が計測値を取りこぼしています`,
  EngawaNotReady: (labels) =>
    labels.cause === 'table'
      ? `${of(labels)} がテーブルを使えません`
      : labels.cause === 'component'
        ? `準備完了の ${of(labels)} のレプリカがありません`
        : `${of(labels)} が準備未完了か、テーブルを使えません`,
  EngawaParkedBlocks:
    'スロットルされたデバイスの計測値が 15 分前から、書き込みを待つブロックに保管されています',
  EngawaPartitionNearLimit: 'パーティションキーが 1 時間前から上限の近くで使われています',
  EngawaReplicasMissing: (labels) => `${of(labels)} のレプリカが不足しています`,
  EngawaRollupsNotStored: (labels) =>
    labels.cause === 'too_large'
      ? '集計値が大きすぎて保存できません'
      : 'テーブルが集計値の保存を拒否しています',
  EngawaSessionLost: (labels) => `ブローカーが ${of(labels)} のセッションを失いました`,
  EngawaSubscriptionSilent: (labels) => `ブローカーから ${of(labels)} に何も届いていません`,
  EngawaTableThrottled: 'テーブルが設定された上限でスロットルされています',
  EngawaThrottledBelowLimit: '上限に近いキーがないのに DynamoDB がスロットルしています',
  EngawaUnrecognizedMessages: ({ decoder = '' }) =>
    `${decoder} のメッセージを認識できなくなっています`,
};
