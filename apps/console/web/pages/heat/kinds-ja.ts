import type { query } from '@engawa/client';
import type { Translations } from '../../i18n/translations.ts';

export type PartitionKind = NonNullable<query.HotPartition['kind']>;

/** What the items under a key are. */
export const descriptionsJa: Translations<PartitionKind> = {
  device: '1 台のデバイス：計測値、ロールアップ、訂正。',
  list: '名前順のリスト：デバイス、場所、部屋、または 1 つの型のエンティティ。',
  seen: '最終受信時刻順のデバイスのリスト。',
  attribute: '1 つのエンティティ型の検索またはランキング。',
  text: '最終変更時刻順のテキストのリスト。全文検索インデックスの作成に使います。',
  expiry: '有効期限順の、期限付きエンティティのリスト。',
  relations: '1 つのエンティティへの関連。',
  memberships: '1 台のデバイスの設置履歴：場所と部屋。',
  entity: '1 つのエンティティ：属性、テキスト、関連。',
  uniqueValue: 'エンティティ型の一意な属性の 1 つの値と、それを持つエンティティ。',
  place: '1 つの場所：部屋と、そこにあるデバイス。',
  room: '1 つの部屋または場所に、現在または過去にあるデバイス。',
  deadLetters: '1 日分のデッドレター。',
  parkedBlocks:
    'スロットルされたデバイスの計測値。デバイスのキーへ移されるまで、ここに置かれます。',
  types: 'エンティティの型。',
  shardMap: 'シャードマップ：各ファミリーのシャード数。',
  unknown: 'セッション、削除、タスクなどの内部レコード、または Engawa が認識しないキー。',
};

/** The services that write a key. */
export const writersJa: Translations<PartitionKind> = {
  device: 'ingestion（計測値）、query（ロールアップ）、registry',
  list: 'registry、catalog（エンティティ）、ingestion（新しいデバイス）',
  seen: 'ingestion',
  attribute: 'catalog',
  text: 'catalog',
  expiry: 'catalog',
  relations: 'catalog',
  memberships: 'registry',
  entity: 'catalog',
  uniqueValue: 'catalog',
  place: 'registry、ingestion（最後のイベント）',
  room: 'registry',
  deadLetters: 'ingestion',
  parkedBlocks: 'ingestion',
  types: 'catalog',
  shardMap: 'ingestion、registry、catalog',
  unknown: 'いずれかのサービス',
};
