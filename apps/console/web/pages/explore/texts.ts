import { defineTexts } from '../../i18n/define-texts.ts';
import { en } from './texts-en.ts';
import { ja } from './texts-ja.ts';

export const exploreTexts = defineTexts(en, ja);
