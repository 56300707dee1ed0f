import type { query } from '@engawa/client';
import type { Translations } from '../../../i18n/translations.ts';

const ofItems = {
  device: 'デバイス：名前、種類、設置場所、最終受信時刻。削除後はその削除記録。',
  block: 'デバイスの計測値のブロック。最も新しい計測値の時刻と内容で識別します。',
  parkedBlock:
    'スロットルされたデバイスのブロック。デバイスのキーに書き込めるようになるまで保管します。',
  rollup:
    'デバイスの 1 時間または 1 日の合計。`SKETCH-PT1H` のような幅では、パーセンタイル用のスケッチ。',
  correction: 'デバイスの計測値の訂正。',
  correctionRow: '訂正の写し。時刻順。訂正が100件を超えるデバイスのみ。',
  place: '場所。削除後はその削除記録。',
  room: '場所の中の部屋。削除後はその削除記録。',
  placement: '現在その場所にあるデバイスと、そこでの最後のイベント。',
  membership:
    'デバイスがいつから部屋に、または場所（部屋は問わない）にあるか、またはあったかの記録。',
  purgeJob: '削除の記録。データを消去している間だけ存在します。',
  deadLetter:
    'その日（UTC）に保存できなかったメッセージ。256 KB を超えると複数の部分に、2 MiB を超えると複数のシャードに分かれます。',
  deadLettersSpread: 'その日のデッドレターが 2 つ目以降のシャードにもあることを示す目印。',
  deadLetterDelivery:
    'ブローカーが再送したメッセージのデッドレターを、配信のハッシュで見つけるための記録。',
  birth: 'Sparkplug ノードが宣言したメトリック。',
  birthOfDevice: 'Sparkplug ノードのデバイスが宣言したメトリック。',
  session: 'クライアント ID がブローカーにセッションを持っていたことの記録。',
  shardMap: 'キーファミリーのシャード数と、その適用開始時刻。',
  entityType: 'エンティティの型。',
  entityTypesMark: 'すべての型のバージョン。型を変更するたびに上がります。',
  entity: 'エンティティ、またはその削除記録。',
  relation: '1 つのエンティティから別の 1 つのエンティティへの関連。',
  attributeRow:
    '1 つの検索、または 2 つ目以降のランキングでエンティティを見つけるための行。検索対象の集合では、要素ごとに 1 行。',
  textRow: '全文検索インデックスに入れる、エンティティのテキストと絞り込み用の値。',
  leftOutRow: 'エンティティを対象から外している検索と、変換できていない値。',
  expiryRow: 'エンティティの有効期限。',
  uniqueValue: '一意な属性の値を持つエンティティ。キーは値の SHA-256。',
  catalogTask: '未完了の catalog のタスク。',
};

const ofIndexes = {
  deviceList: '名前順のデバイスのリスト。',
  deviceSeen: '最終受信時刻順のデバイスのリスト。',
  placeList: '名前順の場所のリスト。',
  roomList: '名前順の部屋のリスト。',
  membershipsOfDevice: 'デバイスがあった場所と部屋。時刻順。',
  entityList: '1 つの型のエンティティ。ID 順で、ULID は作成順になります。',
  relationsToEntity: '1 つのエンティティへの関連。',
  search: '型の検索またはランキング。エンコードした値の順。',
  rankingWithin: '1 つの親エンティティに属するエンティティの中でのランキング。',
  rankingOfPeriod: '1 日、1 週間または 1 か月のランキング。親がなければ、そのセグメントは空です。',
  textChanges: '最終変更時刻順のテキスト。全文検索インデックスの作成に使います。',
  textRebuild: '全文検索インデックスの再作成の要求。シャード 0 にあります。',
  leftOutOfType: '検索の対象から外れている、1 つの型のエンティティ。',
  expiries: '有効期限順の、期限付きエンティティ。',
};

export const meaningsJa: Translations<query.KeyFamily> = { ...ofItems, ...ofIndexes };
