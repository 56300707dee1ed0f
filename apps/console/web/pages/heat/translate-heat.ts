import { defineTranslations } from '../../i18n/define-translations.ts';
import { adviceJa } from './advice-ja.ts';
import { descriptionsJa, writersJa } from './kinds-ja.ts';
import { reasonsJa } from './reasons-ja.ts';
import type { query } from '@engawa/client';

const translateAdvice = defineTranslations({ ja: adviceJa });
const translateReason = defineTranslations({ ja: reasonsJa });
const translateDescription = defineTranslations({ ja: descriptionsJa });
const translateWriters = defineTranslations({ ja: writersJa });

/** The advice at a position, in the user's language; undefined without a translation. */
export function adviceAt({ adviceCodes }: query.HotPartition, at: number): string | undefined {
  const advice = adviceCodes?.[at];
  return advice ? translateAdvice(advice.code, advice.values) : undefined;
}

/** Undefined where any of the reasons has no translation. */
export function reasonOf({ reasonCodes }: query.HotPartition): string | undefined {
  const parts = reasonCodes?.map(({ code, values }) => translateReason(code, values));
  return parts?.includes(undefined) === false ? parts.join('、') : undefined;
}

export function descriptionOf({ kind }: query.HotPartition): string | undefined {
  return translateDescription(kind, undefined);
}

export function writersOf({ kind }: query.HotPartition): string | undefined {
  return translateWriters(kind, undefined);
}
