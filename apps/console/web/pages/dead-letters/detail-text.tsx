import { defineTranslations } from '../../i18n/define-translations.ts';
import { ServiceText } from '../../parts/service-text.tsx';
import { detailsJa, withContext } from './details-ja.ts';
import type { ingestion } from '@engawa/client';

export interface Detailed {
  detail: string;
  detailCode?: ingestion.DetailCode | undefined;
}

const translate = defineTranslations({ ja: detailsJa });

/** The detail in the user's language; undefined without a translation. */
export function translatedDetail({ detailCode }: Detailed): string | undefined {
  const text = detailCode && translate(detailCode.code, detailCode.values);
  return text === undefined ? undefined : withContext(text, detailCode?.values ?? {});
}

/** Why a message is not stored, with the message of the parser or of DynamoDB, which is in English. */
export function DetailText({ letter }: { letter: Detailed }) {
  const translated = translatedDetail(letter);
  const message = letter.detailCode?.values.message;
  return (
    <>
      <ServiceText text={letter.detail} translated={translated} />
      {translated !== undefined && message !== undefined && (
        <>
          {' '}
          <code lang="en">{message}</code>
        </>
      )}
    </>
  );
}
