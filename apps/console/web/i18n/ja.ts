import type { Catalogue } from './define-texts.ts';
import type { en } from './en.ts';

/** Texts of all pages, in Japanese. */
export const ja = {
  product: 'Engawa',
  skipToContent: '本文へ移動',
  pages: {
    house: 'ホーム',
    explore: 'グラフ',
    heat: 'ヒート',
    table: 'テーブル',
    deadLetters: 'デッドレター',
    health: '稼働状態',
  },
  navigation: 'ページ',
  language: '言語',
  theme: { label: '配色', light: 'ライト', dark: 'ダーク', system: 'システム' },
  timeZone: (zone: string) => `時刻は ${zone}`,
  live: {
    open: 'ライブ',
    connecting: '接続中',
    polling: '5 秒ごと',
    closed: '停止中',
  },
  state: {
    loading: '読み込み中',
    retry: '再試行',
    more: '詳細',
    requestId: 'リクエスト ID',
    unreachable: 'コンソールが応答しません',
    unreachableAdvice:
      'ネットワークと、コンソールが動いていることを確認してから、再試行してください。',
    adviceOfStatus: {
      401: 'もう一度サインインしてください。',
      403: 'トークンにスコープまたは場所の権限がありません。管理者に依頼してください。',
      404: '削除されたか、このバージョンのサービスにはない機能です。',
      429: '1 分ほど待ってから再試行してください。',
      503: 'サービスまたはテーブルが混雑しているか、利用できません。数秒後に再試行してください。',
    },
    adviceElse:
      '再試行してください。再び失敗した場合は、サービスのログをリクエスト ID で検索してください。',
  },
  keys: {
    title: 'キーボード',
    help: 'キー一覧を表示',
    search: '検索',
    goTo: (page: string) => `${page}へ移動`,
    close: '閉じる',
    anywhere: 'すべてのページ',
    thisPage: 'このページ',
  },
  search: {
    label: '検索',
    placeholder: 'デバイス、場所、エンティティ、ページ、パーティションキー',
    none: '見つかりません。名前は先頭から、エンティティの文章は単語ごとに検索します。',
    page: 'ページ',
    place: '場所',
    device: 'デバイス',
    key: 'パーティションキー',
  },
  signIn: {
    title: 'サインイン',
    why: 'この環境のサービスにはベアラートークンが必要です。',
    button: '発行者でサインイン',
    paste: 'トークン',
    pasteHelp: 'トークンはこのページのメモリーだけに保持され、再読み込みすると消えます。',
    use: 'このトークンを使う',
    signOut: 'サインアウト',
    issuerAway:
      '発行者でのサインインを利用できません。後で再読み込みするか、トークンを貼り付けてください。',
    failed: '発行者がサインインを受け付けませんでした。もう一度お試しください。',
    rejected:
      'トークンの有効期限が切れたか、無効です。もう一度サインインすると、このページで続けられます。',
    blocked:
      'ブラウザーが発行者のウィンドウをブロックしました。このページのウィンドウを許可するか、トークンを貼り付けてください。',
    whyAgain: 'ページはそのまま残り、サインインした後にリクエストが再送されます。',
    handedOver: 'サインインしました。このウィンドウを閉じてください。',
  },
  notFound: { title: 'ページがありません', back: 'ホームへ' },
  loadFailed: {
    title: 'ページを読み込めませんでした',
    advice: 'コンソールが更新された可能性があります。再読み込みしてください。',
    reload: '再読み込み',
  },
} satisfies Catalogue<typeof en>;
