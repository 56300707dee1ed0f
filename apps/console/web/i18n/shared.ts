import { defineTexts } from './define-texts.ts';
import { en } from './en.ts';
import { ja } from './ja.ts';

/** The texts that all pages share. */
export const shared = defineTexts(en, ja);
