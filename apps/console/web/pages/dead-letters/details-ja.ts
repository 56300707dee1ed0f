import type { ingestion } from '@engawa/client';
import type { Translations } from '../../i18n/translations.ts';

type DetailCode = ingestion.DetailCode['code'];
export type DetailValues = ingestion.DetailCode['values'];

const ofPayloads = {
  'payload-undecodable': 'ペイロードを解読できません。',
  'payload-unreadable': 'ペイロードを読み取れません。',
  'payload-not-json': 'ペイロードは UTF-8 の JSON ではありません。',
  'payload-gzip': 'ペイロードが gzip で圧縮されています。圧縮せずに送信してください。',
  'payload-without-device': 'マッピングがデバイスの名前に使う値がペイロードにありません。',
  'payload-not-mapped':
    'マッピングのどの項目もこのペイロードを受け付けません。必要な値がありません。',
  'payload-not-gzip': 'マッピングは gzip を指定していますが、ペイロードは gzip ではありません。',
  'payload-too-large-decompressed': '展開したペイロードが大きすぎます。',
  'mapping-too-many-steps': 'このペイロードをマッピングで読み取るには手順が多すぎます。',
  'too-many-devices': 'ペイロードのデバイスの数が多すぎます。',
  'payload-utf-16': 'ペイロードが UTF-16 です。UTF-8 で送信してください。',
  'payload-ends-with-nul':
    'ペイロードが NUL で終わっています。C の文字列の終端文字を長さに含めないでください。',
  'payload-not-text': 'ペイロードは UTF-8 のテキストではありません。',
  'payload-not-object': 'ペイロードはフィールドを持つオブジェクトではありません。',
  'payload-too-deep': 'ペイロードの入れ子が深すぎて読み取れません。',
  'attribute-too-deep': '属性の入れ子が深すぎて読み取れません。',
  'array-empty': '配列に計測値がありません。',
  'properties-missing': 'ペイロードに echonetlite_properties の配列がありません。',
  'property-not-object': 'プロパティがオブジェクトではありません。',
  'property-without-name': 'プロパティに名前がありません。',
  'value-missing': 'ペイロードに val がありません。',
  'params-missing': '通知に params がありません。',
  'output-not-json':
    'ペイロードがオブジェクトではありません。Zigbee2MQTT の output を attribute ではなく json に設定してください。',
  'not-sparkplug': 'Sparkplug B のペイロードではありません。',
  'metric-name-not-text': 'メトリックの名前が UTF-8 ではありません。',
  'metric-value-not-text': 'メトリックの値が UTF-8 ではありません。',
  'metric-without-name': 'メトリックに名前も別名もありません。',
  'alias-not-born': ({ alias }: DetailValues) =>
    `メッセージより前の最後の birth に、別名 ${alias} がありません。`,
  'type-not-born': ({ field }: DetailValues) =>
    `メッセージより前の最後の birth に、メトリック ${field} の型がありません。値は負の可能性があります。`,
  'no-decoder': 'このトピックを扱うデコーダーがありません。',
  'payload-unrecognized':
    'このペイロードを認識するデコーダーがありません。DECODERS のトピックフィルターで、トピックのデコーダーを選択できます。',
  'topic-levels': ({ messageType, levels }: DetailValues) =>
    `${messageType} のトピックは、spBv1.0 の後に ${levels} 階層が必要です。`,
  'topic-level-empty': 'トピックに空の階層があります。',
  'message-too-large': ({ bytes, readings }: DetailValues) =>
    `メッセージ（${bytes} バイト${readings === undefined ? '' : `、計測値 ${readings} 件`}）が、1 件に使えるメモリーを超えます。`,
};

/** Details of 0.2.0 do not name the field. */
const fieldOf = (field: DetailValues['field']): string =>
  field === undefined ? 'フィールド' : `フィールド ${field} `;

const ofReadings = {
  'reading-not-json': '計測値は UTF-8 の JSON ではありません。',
  'reading-too-deep': '計測値の入れ子が深すぎて読み取れません。',
  'reading-too-long': '計測値が 1 MB を超えています。',
  'reading-too-large': ({ bytes, max }: DetailValues) =>
    `計測値が ${bytes} バイトあります。上限は ${max} バイトです。`,
  'reading-not-object': '計測値がオブジェクトではなく、単独の値またはリストです。',
  'reading-without-field': '計測値にフィールドがありません。',
  'fields-too-deep': ({ field, max }: DetailValues) =>
    `${fieldOf(field)}の入れ子が ${max} 階層を超えています。`,
  'field-bytes': ({ field }: DetailValues) =>
    `${fieldOf(field)}の値がバイト列です。バイト列は保存されません。`,
  'field-name-not-text': ({ field, attribute }: DetailValues) =>
    `${fieldOf(field)}の名前がテキストではなく ${attribute} です。`,
  'field-name-empty': ({ field }: DetailValues) => `${fieldOf(field)}の名前が空です。`,
  'field-name-reserved': '__proto__ はフィールド名に使えません。',
  'field-name-half-pair': ({ field }: DetailValues) =>
    `${fieldOf(field)}の名前にサロゲートペアの片方だけがあります。`,
  'field-name-too-long': ({ field, max }: DetailValues) =>
    `${fieldOf(field)}の名前が ${max} バイトを超えています。`,
  'field-too-large': ({ field, bytes, max }: DetailValues) =>
    `${fieldOf(field)}が ${bytes} バイトあります。上限は ${max} バイトです。`,
  'field-twice': ({ field }: DetailValues) => `フィールド ${field} が 2 つあります。`,
  'field-twice-flattened': ({ field }: DetailValues) =>
    `入れ子を展開すると、フィールド ${field} が 2 つあります。`,
  'field-half-pair': ({ field }: DetailValues) =>
    `フィールド ${field} の値にサロゲートペアの片方だけがあります。`,
  'number-unfit': ({ field }: DetailValues) => `フィールド ${field} の数値は保存できません。`,
  'time-not-readable': ({ attribute }: DetailValues) =>
    `${attribute} は、オフセット付きの ISO 8601、またはエポックからの秒かミリ秒で指定してください。`,
  'time-without-offset': ({ attribute }: DetailValues) =>
    `${attribute} はオフセットのない現地時刻です。Z や +09:00 などのオフセットが必要です。`,
  'time-epoch-in-text': ({ attribute }: DetailValues) =>
    `${attribute} はテキストになっているエポック時刻です。引用符を付けず、数値で送信してください。`,
  'time-out-of-years': ({ attribute }: DetailValues) =>
    `${attribute} が 0000 年から 9999 年の範囲にありません。`,
  'time-ahead': ({ attribute, time }: DetailValues) => `${attribute} が未来すぎます（${time}）。`,
  'time-long-ago': ({ attribute, time }: DetailValues) => `${attribute} が古すぎます（${time}）。`,
  'reading-expired': ({ time, kind, max }: DetailValues) =>
    `計測値（${time}）は、種類 ${kind} のデバイスの保存期間 ${max} 日より古いものです。`,
  'device-missing': '計測値にも ?device= にもデバイスの指定がありません。',
  'device-invalid':
    'デバイス ID が無効です。空ではなく、長すぎず、制御文字を含まない文字列にしてください。',
  'device-not-registered': 'デバイスが登録されていません。',
  'table-rejects': 'DynamoDB が項目を拒否しました。',
  'internal-error': 'Engawa の内部エラーです。',
};

const ofDeadLetters = {
  'dead-letter-too-large': ({ bytes, max }: DetailValues) =>
    `デッドレターは ${bytes} バイトで、再処理できる上限の ${max} バイトを超えています。ペイロードを分割して取得し、計測値を小さなメッセージで送ってください。`,
  'dead-letter-incomplete': 'デッドレターの一部がありません。',
  'dead-letter-rejected':
    'テーブルがデッドレター全体を拒否したため、トピックとペイロードだけを保存しました。',
};

export const detailsJa: Translations<DetailCode, DetailValues> = {
  ...ofPayloads,
  ...ofReadings,
  ...ofDeadLetters,
};

/** The text of a code with the index and the counts of its dead letter. */
export function withContext(text: string, values: DetailValues): string {
  const { index, more, leftOut, omittedBytes } = values;
  const reading = index === undefined ? '' : `計測値 ${index}：`;
  const others = more === undefined ? '' : `（ほか ${more} 件）`;
  const rest =
    leftOut === undefined
      ? ''
      : `保存しなかった値は ${leftOut} 件です。同じ計測値のほかの値は保存しました。`;
  const omitted =
    omittedBytes === undefined
      ? ''
      : `ユーザープロパティ（${omittedBytes} バイト）は保存していません。`;
  return `${reading}${text}${others}${rest}${omitted}`;
}
