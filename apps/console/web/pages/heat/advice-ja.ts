import type { query } from '@engawa/client';
import type { Translations } from '../../i18n/translations.ts';

type AdviceCode = query.AdviceCode['code'];
export type AdviceValues = query.AdviceCode['values'];

const shardsNow = ({ shards, maxShards }: AdviceValues): string =>
  shards === undefined ? `最大 ${maxShards} 個` : `現在 ${shards} 個、最大 ${maxShards} 個`;
const atMaximum = ({ maxShards }: AdviceValues): string =>
  `負荷はすでに上限の ${maxShards} シャードに分散しています。`;
const unitName = ({ unit }: AdviceValues): string => (unit === 'read' ? '読み込み' : '書き込み');
const tableOrIndex = ({ index }: AdviceValues): string =>
  index === 'table' ? 'テーブル' : `インデックス ${index} `;
/** An index takes part in each write to the table. */
const alsoTable = ({ index, unit }: AdviceValues): string =>
  index === 'table' || unit === 'read'
    ? ''
    : 'その間、このインデックスに含まれる項目はテーブルへの書き込みもスロットルされます。';

const onReads = {
  'request-less':
    '同じデータへのリクエストを減らしてください。応答をキャッシュし、ポーリングの間隔を広げ、小さなページを何度も取得する代わりに大きなページ（limit）を指定します。',
  'replicas-do-not-help':
    'サービスのレプリカやシャードを増やしても効果はありません。どのレプリカもすべてのシャードを読むためです。',
  'request-device-less':
    'このデバイスへのリクエストを減らしてください。何度も取得する代わりに latest?limit= で 1 回にまとめ、ポーリングの間隔を広げ、ページを大きくし、長い期間には計測値ではなく集計を使います。',
  'replicas-read-same-partition':
    'サービスのレプリカを増やしても効果はありません。どのレプリカも同じパーティションを読むためです。',
  'fewer-text-followers':
    'テキストの変更を追跡するレプリカを減らしてください。各レプリカがこのパーティションをポーリングします。',
  'raise-task-refresh':
    'TASK_REFRESH_MS を大きくするか、catalog のレプリカを減らしてください。各レプリカがこの間隔でこのパーティションを読みます。',
  'request-entity-less':
    'このエンティティへのリクエストを減らしてください。結果をキャッシュし、関連は大きなページで、または必要な型だけを取得します。',
  'raise-type-refresh':
    'TYPE_REFRESH_MS を大きくするか、catalog のレプリカを減らしてください。各レプリカがこの間隔でエンティティの型を読みます。',
  'fewer-shard-map-readers':
    'レプリカを減らしてください。各レプリカが 2 秒ごとにシャードマップを読みます。',
};

const onWrites = {
  'batch-readings':
    '1 件のメッセージで送る計測値を増やすか、LINGER_MS を大きくして 1 つのブロックにまとめてください。DynamoDB は 1 KB 単位に切り上げて課金するため、10 件を 1 ブロックにすると費用は約 10 分の 1 になります。',
  'change-list-slowly':
    'このリストのシャードが増えるまで、項目の作成と名前の変更をゆっくり行ってください。',
  'many-devices-seen':
    '各デバイスの書き込みは最大でも 1 時間に 1 回なので、ホットになる原因はデバイスの台数です。シャードの追加だけが有効です。',
  'write-attributes-less':
    '検索やランキングに使う属性の書き込みを減らしてください。同じエンティティの変更をまとめるか、正確さが不要な値を丸めます。',
  'combine-text-changes':
    'エンティティのテキストは 1 回のリクエストでまとめて変更し、一括登録の速度を落としてください。',
  'change-expiry-less':
    'エンティティの有効期限の変更を減らし、期限付きエンティティの作成をゆっくり行ってください。',
  'relate-fewer-entities':
    'このキーは 1 つの人気エンティティへの関連をすべて保持し、シャードに分割できません。直接関連付けるエンティティを減らす（年や地域ごとの中間エンティティを挟む）か、シャードに分割できる検索属性に置き換えてください。',
  'move-device-less':
    'このキーは 1 台のデバイスの設置履歴で、シャードに分割できません。デバイスを移動する頻度を下げてください。',
  'combine-entity-changes':
    'エンティティはシャードに分割できません。変更を少ないリクエストにまとめ、常に変わる値（カウンターや状態）は別のエンティティに分けてください。',
  'find-sender-of-value':
    'このキーは一意な属性の 1 つの値で、シャードに分割できません。この値を持てるエンティティは 1 つだけです。繰り返し送信している（409 not-unique）、またはエンティティ間で値を移しているクライアントを探してください。',
  'place-devices-slowly':
    '場所はシャードに分割できません。デバイスの設置と移動をゆっくり行うか、複数の場所に分けてください。',
  'move-devices-of-room-slowly':
    '部屋はシャードに分割できません。デバイスの設置と移動をゆっくり行うか、複数の部屋に分けてください。',
  'find-dead-letter-reason':
    '非常に多くのメッセージがデッドレターになっています。理由を調べ（GET /v1/deadLetters）、送信元を停止するか修正してください。',
  'follow-throttled-devices':
    'スロットルされたデバイスの計測値は、移されるまでここに置かれます。それらのデバイスのキーへの助言に従ってください。',
  'change-types-slowly':
    'エンティティの型は頻繁な変更を想定していません。1 つずつ変更してください。',
  'increase-load-slowly':
    '多くのキーファミリーのシャードが同時に増えています。負荷をゆっくり上げてください。',
  'spread-writes':
    'このキーはシャードに分割できません。書き込みを複数のキーに分散するか、頻度を下げてください。',
};

const onGrowth = {
  'shards-are-added': (values: AdviceValues) =>
    `書き込むサービスで SHARD_GROWTH が on なら、ホットな間は負荷が自動的に多くのシャードに分散されます（${shardsNow(values)}）。`,
  'turn-on-shard-growth': (values: AdviceValues) =>
    `このキーに書き込むサービスで SHARD_GROWTH=on を設定してください。負荷が自動的に多くのシャードに分散されます（${shardsNow(values)}）。`,
  'shards-are-added-in-total':
    'SHARD_GROWTH が on で、HOT_PARTITION_PEERS にこのキーへ書き込むすべてのプロセスがあれば、負荷は自動的に多くのシャードに分散されます。そうでなければ、DynamoDB がスロットルするか、1 つのプロセスだけでホットになってから分散されます。',
  'max-shards-of-device': (values: AdviceValues) =>
    `${atMaximum(values)}送信元を複数のデバイスに分けてください。`,
  'max-shards-of-list': (values: AdviceValues) =>
    `${atMaximum(values)}項目の作成と名前の変更をゆっくり行うか、エンティティを複数の型に分けてください。`,
  'max-shards-of-seen': (values: AdviceValues) =>
    `${atMaximum(values)}初めて送信するデバイスが一度に集中しないようにしてください。`,
  'max-shards-of-attribute': (values: AdviceValues) =>
    `${atMaximum(values)}エンティティを複数の型に分けるか、別の属性で検索してください。`,
  'max-shards-of-text': (values: AdviceValues) =>
    `${atMaximum(values)}テキストの変更をゆっくり行ってください。`,
  'max-shards-of-expiry': (values: AdviceValues) =>
    `${atMaximum(values)}期限付きエンティティの作成をゆっくり行ってください。`,
};

const onThrottling = {
  'see-hottest-partitions': (values: AdviceValues) =>
    `${tableOrIndex(values)}の 1 つのパーティションに、上限を超える${unitName(values)}が集中しています。ほかのパーティションは空いている場合があります。原因のキーと対処方法は、最もホットなパーティションで確認してください。ホットなキーには、キャパシティを増やしても効果はありません。上限に近いキーがない場合は、使用の少ないキーが同じパーティションにあるか、DynamoDB がパーティションを増やすより速く負荷が増えています。負荷をゆっくり増やしてください。${alsoTable(values)}`,
  'raise-table-capacity': (values: AdviceValues) =>
    `テーブルのプロビジョニング済み${unitName(values)}キャパシティを使い切っています。引き上げるか、オートスケーリングを使うか、オンデマンドに変更してください。`,
  'raise-index-capacity': (values: AdviceValues) =>
    `${tableOrIndex(values)}のプロビジョニング済み${unitName(values)}キャパシティを使い切っています。インデックスのキャパシティはテーブルと別です。インデックスのキャパシティを引き上げるか、オートスケーリングを使うか、テーブルをオンデマンドに変更してください。${alsoTable(values)}`,
  'raise-account-quota': (values: AdviceValues) =>
    `${tableOrIndex(values)}の${unitName(values)}ユニットが、このリージョンでのアカウントのクォータに達しています。AWS に引き上げを申請してください（同じリージョンの Service Quotas、Amazon DynamoDB）。${alsoTable(values)}`,
  'raise-on-demand-maximum': (values: AdviceValues) =>
    `${tableOrIndex(values)}に設定された毎秒の${unitName(values)}ユニットの上限に達しています。OnDemandThroughput の ${values.unit === 'read' ? 'MaxReadRequestUnits' : 'MaxWriteRequestUnits'} を引き上げるか、削除してください。${alsoTable(values)}`,
  'see-hottest-partitions-first': (values: AdviceValues) =>
    `DynamoDB は、バッチの一部とキャンセルされたトランザクションには理由を返しません。まず${tableOrIndex(values)}の${unitName(values)}で最もホットなパーティションを確認し、上限に近いものがなければ${unitName(values)}キャパシティを確認してください。`,
};

export const adviceJa: Translations<AdviceCode, AdviceValues> = {
  'reads-of-index': ({ index }) =>
    `このキーはテーブルではなくインデックス ${index} のキーです。スロットルされるのはインデックスのクエリで、テーブルの読み込みではありません。`,
  'writes-of-index': ({ index }) =>
    `このキーはテーブルではなくインデックス ${index} のキーです。DynamoDB がスロットルしている間は、インデックスにこのキーを持つ項目のテーブルへの書き込みもスロットルされます。`,
  'likely-cause':
    'DynamoDB はこのスロットルの理由を返していません。スロットルされたリクエストのキーのうち最も多く使われているため、このキーが原因と考えられます。',
  'throttled-below-limit': (values) =>
    `DynamoDB はこのキーへのリクエストをスロットルしていますが、使用量は 1 パーティションの上限を大きく下回っています。原因は別にあります。${tableOrIndex(values)}の最もホットなキー、同じパーティションにある別のキー、オンデマンドテーブルで 30 分以内に 2 倍を超えて増えた負荷、または低いウォームスループットが考えられます。負荷をゆっくり増やすか、${tableOrIndex(values)}のウォームスループットを引き上げてください。このキーのシャードを増やしても効果はありません。`,
  'hot-in-total':
    '単独でこのキーをホットにしているプロセスはありません。複数のプロセスが同時に使っています。',
  ...onReads,
  ...onWrites,
  ...onGrowth,
  ...onThrottling,
};
