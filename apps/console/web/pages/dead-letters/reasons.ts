import { defineTexts } from '../../i18n/define-texts.ts';
import type { Reason } from './model.ts';

/** Each reason: what is wrong, and what to do about it. */
const en = {
  malformed: {
    name: 'Payload not readable',
    advice: 'The payload is not in the format of its topic. Correct the sender, then discard.',
  },
  no_decoder: {
    name: 'No decoder for the topic',
    advice: 'Add the topic to DECODERS of ingestion, then replay.',
  },
  bad_device: {
    name: 'Device id not valid',
    advice: 'Correct the device id in the topic or payload, then discard.',
  },
  bad_time: {
    name: 'Time not valid',
    advice: 'Check the clock of the device, or the allowed age of readings, then replay.',
  },
  expired: {
    name: 'Older than the retention',
    advice: 'It would expire at once. Extend RETENTION_DAYS and replay, or discard.',
  },
  bad_number: {
    name: 'Number not valid',
    advice: 'A value is out of range or has too many digits. Check the sensor, then discard.',
  },
  bad_field: {
    name: 'Field not valid',
    advice: 'A field has an invalid name, or two values have the same name. Check the sender.',
  },
  too_deep: {
    name: 'Nested too deeply',
    advice: 'Send a flatter payload, then discard.',
  },
  too_large: {
    name: 'Too large',
    advice: 'Send fewer readings or fields in a message, then discard.',
  },
  unknown_alias: {
    name: 'Sparkplug alias unknown',
    advice: 'The birth of the Sparkplug node is missing. Request a rebirth, then replay.',
  },
  not_admitted: {
    name: 'Device not registered',
    advice: 'Register the device, then replay: its readings are stored with their own times.',
  },
  refused_by_table: {
    name: 'Rejected by the table',
    advice: 'DynamoDB rejected the items. Read the detail and the log of ingestion, then replay.',
  },
  internal_error: {
    name: 'Error in Engawa',
    advice: 'Search the log of ingestion. After an update, replay.',
  },
} satisfies Record<Reason, { name: string; advice: string }>;

const ja = {
  malformed: {
    name: 'ペイロードを解読できません',
    advice: 'ペイロードがトピックの形式と異なります。送信側を直してから破棄してください。',
  },
  no_decoder: {
    name: 'トピックのデコーダーがありません',
    advice: 'ingestion の DECODERS にトピックを追加してから再処理してください。',
  },
  bad_device: {
    name: 'デバイス ID が無効です',
    advice: 'トピックまたはペイロードのデバイス ID を直してから破棄してください。',
  },
  bad_time: {
    name: '時刻が無効です',
    advice: 'デバイスの時計、または許容する計測値の古さを確認してから再処理してください。',
  },
  expired: {
    name: '保存期間を過ぎています',
    advice:
      '保存してもすぐに期限切れになります。RETENTION_DAYS を延ばして再処理するか、破棄してください。',
  },
  bad_number: {
    name: '数値が無効です',
    advice: '値が範囲外か、桁が多すぎます。センサーを確認してから破棄してください。',
  },
  bad_field: {
    name: 'フィールドが無効です',
    advice: 'フィールド名が無効か、重複しています。送信側を確認してください。',
  },
  too_deep: {
    name: '入れ子が深すぎます',
    advice: '浅い構造で送信し、これは破棄してください。',
  },
  too_large: {
    name: '大きすぎます',
    advice: '1 件のメッセージの計測値やフィールドを減らし、これは破棄してください。',
  },
  unknown_alias: {
    name: 'Sparkplug の別名が不明です',
    advice: 'Sparkplug ノードの birth がありません。rebirth を要求してから再処理してください。',
  },
  not_admitted: {
    name: 'デバイスが未登録です',
    advice: 'デバイスを登録してから再処理してください。計測値は元の時刻で保存されます。',
  },
  refused_by_table: {
    name: 'テーブルが拒否しました',
    advice: 'DynamoDB が項目を拒否しました。詳細と ingestion のログを確認し、再処理してください。',
  },
  internal_error: {
    name: 'Engawa のエラー',
    advice: 'ingestion のログを調べ、更新後に再処理してください。',
  },
};

const reasonTexts = defineTexts(en, ja);

/** A reason of a newer service has its name only. */
export function reasonText(reason: Reason): { name: string; advice: string } {
  const texts: Readonly<Partial<Record<string, { name: string; advice: string }>>> =
    reasonTexts.value;
  return texts[reason] ?? { name: reason, advice: '' };
}
