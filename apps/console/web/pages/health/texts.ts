import { defineTexts } from '../../i18n/define-texts.ts';

const en = {
  empty: 'This page has no content yet.',
};

const ja = {
  empty: 'このページにはまだ内容がありません。',
};

export const healthTexts = defineTexts(en, ja);
