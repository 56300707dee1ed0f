import { defineTranslations } from '../../i18n/define-translations.ts';
import { alertsJa } from './alerts-ja.ts';
import { requirementsJa } from './requirements-ja.ts';
import type { Alert, Requirement } from '../../../src/status/status-report.ts';

const translateAlert = defineTranslations({ ja: alertsJa });
const translateRequirement = defineTranslations({ ja: requirementsJa });

/** The summary of an alert in the user's language; undefined without a translation. */
export function summaryOf({ name, labels }: Alert): string | undefined {
  return translateAlert(name, labels ?? {});
}

export function requirementOf({ name }: Pick<Requirement, 'name'>): string | undefined {
  return translateRequirement(name, undefined);
}
