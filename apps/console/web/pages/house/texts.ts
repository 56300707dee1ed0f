import { defineTexts } from '../../i18n/define-texts.ts';

const en = {
  problems: 'Needs attention',
  pending: (count: string) => `${count} waiting for approval`,
  pendingWhy: 'Readings of these devices are stored but hidden until you approve them.',
  approve: 'Approve',
  approveDevice: (name: string) => `Approve ${name}`,
  approveFailed: 'Approval failed',
  silent: (count: string) => `${count} silent`,
  silentWhy: 'No message for longer than usual. Check battery and connection.',
  ahead: (count: string) => `${count} with a clock that is ahead`,
  aheadWhy: 'Times of readings are later than their receipt. Check the clock and its time zone.',
  aheadBy: (minutes: string) => `${minutes} min ahead`,
  lastHeard: 'Last heard',
  neverHeard: 'Never heard',
  noValues: 'No values in 24 hours',
  devices: (count: string) => (count === '1' ? '1 device' : `${count} devices`),
  withoutRoom: 'Whole place',
  withoutPlace: 'Without a place',
  showMore: (count: string) => `Show ${count} more`,
  rows: 'Devices by place and room',
  sparkline: (field: string) => `${field} today, since midnight`,
  moreFields: (count: string) => `+${count}`,
  empty: 'No device has sent a reading yet',
  emptyAdvice: 'Publish a reading over MQTT, or send it over HTTP:',
  emptyPlace: 'No device is at this place.',
  refresh: 'Reload',
  lost: 'Some live readings were lost; values were loaded again.',
  events: {
    open: 'Open',
    closed: 'Closed',
    true: 'On',
    false: 'Off',
  },
  fields: {
    temperature: 'Temperature',
    humidity: 'Humidity',
    power: 'Power',
    energyImport: 'Imported',
    energyExport: 'Exported',
    co2: 'CO₂',
    pressure: 'Pressure',
    illuminance: 'Illuminance',
    battery: 'Battery',
    voltage: 'Voltage',
    current: 'Current',
    contact: 'Contact',
    action: 'Action',
  },
};

const ja = {
  problems: '要確認',
  pending: (count: string) => `承認待ち ${count} 台`,
  pendingWhy: '承認するまで、これらのデバイスの計測値は保存されますが表示されません。',
  approve: '承認',
  approveDevice: (name: string) => `${name}を承認`,
  approveFailed: '承認できませんでした',
  silent: (count: string) => `応答なし ${count} 台`,
  silentWhy: '通常より長い間メッセージがありません。電池と接続を確認してください。',
  ahead: (count: string) => `時計が進んでいる ${count} 台`,
  aheadWhy: '計測値の時刻が受信時刻より先です。時計とタイムゾーンを確認してください。',
  aheadBy: (minutes: string) => `${minutes} 分進んでいます`,
  lastHeard: '最終受信',
  neverHeard: '受信なし',
  noValues: '24 時間以内の値はありません',
  devices: (count: string) => `${count} 台`,
  withoutRoom: '全体',
  withoutPlace: '場所なし',
  showMore: (count: string) => `あと ${count} 件を表示`,
  rows: '場所と部屋ごとのデバイス',
  sparkline: (field: string) => `今日（0 時から）の${field}`,
  moreFields: (count: string) => `+${count}`,
  empty: 'まだ計測値を送信したデバイスがありません',
  emptyAdvice: 'MQTT で計測値を発行するか、HTTP で送信してください：',
  emptyPlace: 'この場所にはデバイスがありません。',
  refresh: '再読み込み',
  lost: '一部のライブ計測値が失われたため、値を読み込み直しました。',
  events: {
    open: '開',
    closed: '閉',
    true: 'オン',
    false: 'オフ',
  },
  fields: {
    temperature: '温度',
    humidity: '湿度',
    power: '電力',
    energyImport: '買電量',
    energyExport: '売電量',
    co2: 'CO₂',
    pressure: '気圧',
    illuminance: '照度',
    battery: '電池',
    voltage: '電圧',
    current: '電流',
    contact: '開閉',
    action: '操作',
  },
};

export const houseTexts = defineTexts(en, ja);

/** The name of a field in the user's language; fields of brands keep their own. */
export function fieldName(field: string): string {
  const names: Readonly<Record<string, string>> = houseTexts.value.fields;
  return Object.hasOwn(names, field) ? (names[field] ?? field) : field;
}

/** The name of an event's value, such as an open door. */
export function eventName(value: unknown): string {
  const names: Readonly<Record<string, string>> = houseTexts.value.events;
  const text = String(value);
  return Object.hasOwn(names, text) ? (names[text] ?? text) : text;
}
