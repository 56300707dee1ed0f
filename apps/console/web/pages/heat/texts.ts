import { defineTexts } from '../../i18n/define-texts.ts';
import type { HeatRow } from './heat-row.ts';

const en = {
  resolution: 'Columns',
  resolutions: { second: 'Seconds, 10 min', minute: 'Minutes, 24 h' },
  measure: 'Colour',
  measures: { load: 'Load', reads: 'Read units', writes: 'Write units', throttles: 'Throttles' },
  order: 'Rows',
  orders: { load: 'Hottest first', key: 'By key' },
  hotNow: (count: string) => `Hot now: ${count}`,
  noneHot: 'No partition is hot now',
  noneHotWhy: (read: string, write: string) =>
    `A key is hot from 70 % of its limit on (${read} read units or ${write} write units per second), or while it is throttled.`,
  ofLimit: (percent: string) => `${percent} of the limit`,
  since: (time: string) => `since ${time}`,
  mapLabel:
    'Heat map of partition keys over time. Arrow keys move the cursor, Enter explains the key.',
  mapHelp:
    'Point at a cell, tap it or use the arrow keys for its numbers. Click a row, or press Enter, for what to do.',
  cell: (read: string, write: string, throttles: string) =>
    `${read} read units, ${write} write units, ${throttles} throttles`,
  perSecond: 'units/s',
  throttlesPerSecond: 'throttles/s',
  throttled: 'Throttled',
  throttledKeys: (keys: string) => `Throttled keys: ${keys}`,
  throttles: (count: string) => `${count} throttles`,
  reshard: 'Shards added',
  reshards: (count: string) => `Shards added: ${count}`,
  shardsFromTo: (from: string, to: string) => `${from} → ${to} shards`,
  merged: (name: string) => `${name} – all other keys`,
  table: 'Hottest keys of the window',
  columns: {
    key: 'Key',
    index: 'Index',
    peak: 'Peak load',
    reads: 'Read units',
    writes: 'Write units',
    throttles: 'Throttles',
  },
  rows: (shown: string, all: string) => `${shown} of ${all} rows`,
  moreRows: (count: string) => `${count} more keys: point at a row for its name`,
  empty: 'No requests to the table in this window',
  emptyAdvice: 'Rows appear within two seconds of the first request to DynamoDB.',
  emptyMeasure: 'Nothing was throttled in this window',
  emptyMeasureAdvice: 'Choose another colour to see the load.',
  unavailable: (services: string) =>
    `Without ${services}: no answer, or your token lacks the scope "read" there.`,
  explain: {
    title: 'What is this key?',
    close: 'Close the explanation',
    why: 'Why',
    advice: 'What to do',
    noAdvice: 'Nothing: the key is not hot.',
    writtenBy: 'Written by',
    kind: 'Kind',
    shards: 'Shards',
    hotSince: 'Hot since',
    window: 'In this window',
    now: 'In the last 10 seconds',
    notNow: 'Not among the busiest keys of the last 10 seconds: nothing to do.',
    unit: { read: 'Reads', write: 'Writes' },
    merged:
      'The sum of all keys of this kind that have no row of their own, since each of them is cold. A key that becomes busy gets its own row.',
    items: 'Show the items of this key',
    hidden: 'Ids in keys are hidden or hashed (HOT_PARTITION_KEYS), so the items cannot be opened.',
    gone: 'This key has no row in the window. Choose a row of the map.',
  },
  keys: {
    second: 'Show seconds',
    minute: 'Show minutes',
    measure: 'Next colour',
    order: 'Change the order of rows',
  },
};

const ja = {
  resolution: '列',
  resolutions: { second: '秒（10 分間）', minute: '分（24 時間）' },
  measure: '色',
  measures: { load: '負荷', reads: '読み込み', writes: '書き込み', throttles: 'スロットル' },
  order: '行',
  orders: { load: '負荷の高い順', key: 'キー順' },
  hotNow: (count: string) => `ホットパーティション: ${count}`,
  noneHot: '現在ホットパーティションはありません',
  noneHotWhy: (read: string, write: string) =>
    `上限（毎秒 読み込み ${read} ユニット、書き込み ${write} ユニット）の 70 % 以上を使うか、スロットルされているキーをホットと判定します。`,
  ofLimit: (percent: string) => `上限の ${percent}`,
  since: (time: string) => `${time} から`,
  mapLabel:
    'パーティションキーの時間ごとのヒートマップ。矢印キーでカーソルを移動し、Enter でキーの説明を表示します。',
  mapHelp:
    'セルを指すかタップする、または矢印キーで数値を表示します。行をクリックするか Enter を押すと対処方法を表示します。',
  cell: (read: string, write: string, throttles: string) =>
    `読み込み ${read} ユニット、書き込み ${write} ユニット、スロットル ${throttles} 回`,
  perSecond: 'ユニット/秒',
  throttlesPerSecond: 'スロットル/秒',
  throttled: 'スロットルあり',
  throttledKeys: (keys: string) => `スロットルされたキー: ${keys}`,
  throttles: (count: string) => `スロットル ${count} 回`,
  reshard: 'シャード追加',
  reshards: (count: string) => `シャード追加: ${count}`,
  shardsFromTo: (from: string, to: string) => `${from} → ${to} シャード`,
  merged: (name: string) => `${name} – その他のキー`,
  table: '期間中に負荷の高いキー',
  columns: {
    key: 'キー',
    index: 'インデックス',
    peak: '最大負荷',
    reads: '読み込み',
    writes: '書き込み',
    throttles: 'スロットル',
  },
  rows: (shown: string, all: string) => `${all} 行中 ${shown} 行`,
  moreRows: (count: string) => `ほか ${count} キー：行を指すと名前を表示`,
  empty: 'この期間にテーブルへのリクエストはありません',
  emptyAdvice: 'DynamoDB への最初のリクエストから 2 秒以内に行が表示されます。',
  emptyMeasure: 'この期間にスロットルはありません',
  emptyMeasureAdvice: '負荷を見るには、別の色を選んでください。',
  unavailable: (services: string) =>
    `${services} を除いた表示です。応答がないか、トークンにスコープ「read」がありません。`,
  explain: {
    title: 'このキーについて',
    close: '説明を閉じる',
    why: '理由',
    advice: '対処方法',
    noAdvice: '対処は不要です。このキーはホットではありません。',
    writtenBy: '書き込み元',
    kind: '種類',
    shards: 'シャード',
    hotSince: 'ホットになった時刻',
    window: 'この期間',
    now: '直近 10 秒',
    notNow: '直近 10 秒の上位にはありません。対処は不要です。',
    unit: { read: '読み込み', write: '書き込み' },
    merged:
      'この種類のうち、負荷が低く個別の行がないキーの合計です。負荷が上がったキーには個別の行が表示されます。',
    items: 'このキーの項目を表示',
    hidden:
      'キーの ID が非表示またはハッシュ化されているため（HOT_PARTITION_KEYS）、項目を開けません。',
    gone: 'このキーは期間内にありません。マップの行を選んでください。',
  },
  keys: {
    second: '秒で表示',
    minute: '分で表示',
    measure: '次の色',
    order: '行の順序を変更',
  },
};

export const heatTexts = defineTexts(en, ja);

/** The partition key, or the kind for merged keys. */
export function rowName({ partition, merged }: Pick<HeatRow, 'partition' | 'merged'>): string {
  return merged ? heatTexts.value.merged(partition) : partition;
}
