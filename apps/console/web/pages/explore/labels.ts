import { language } from '../../i18n/language.ts';
import { fieldName } from '../house/texts.ts';
import { sourceKey } from './explore-state.ts';
import { exploreTexts } from './texts.ts';
import type { SourceFields } from './field-info.ts';
import type { FunctionName, Width } from './explore-requests.ts';
import type { Source } from './explore-state.ts';

const widthUnits: Readonly<Record<string, string>> = {
  M: 'minute',
  H: 'hour',
  D: 'day',
  W: 'week',
  Y: 'year',
};

/** The length of a bucket: `5 min`. @param every ISO 8601 duration with one unit */
export function widthName(every: Width): string {
  const [, time, count, letter] = /^P(T?)(\d+)(\w)$/.exec(every) ?? [];
  const unit = letter === 'M' && time === '' ? 'month' : (widthUnits[letter ?? ''] ?? 'hour');
  return new Intl.NumberFormat(language.value, { style: 'unit', unit }).format(Number(count));
}

export function functionName(name: FunctionName): string {
  const names: Readonly<Record<string, string>> = exploreTexts.value.functions;
  return names[name] ?? name;
}

/** What a point of a chart is: `Average per 5 min`. */
export function bucketDetail(name: FunctionName, every: Width): string {
  return exploreTexts.value.per(functionName(name), widthName(every));
}

interface LabelParts {
  field: string;
  source: Source;
  device: string | undefined;
}

/** Names of lines: what all lines of a chart have in common is left out. */
export function lineLabels(lines: readonly LabelParts[], known: SourceFields): string[] {
  const hasSeveralFields = new Set(lines.map(({ field }) => field)).size > 1;
  const hasSeveralSources = new Set(lines.map(({ source }) => sourceKey(source))).size > 1;
  return lines.map(({ field, source, device }) => {
    const sourceName = known.names.get(sourceKey(source)) ?? sourceKey(source);
    const deviceName = device === undefined ? undefined : (known.deviceNames.get(device) ?? device);
    const isNamed = hasSeveralSources || deviceName === undefined;
    const parts = [
      ...(hasSeveralFields ? [fieldName(field)] : []),
      ...(isNamed && (hasSeveralSources || !hasSeveralFields) ? [sourceName] : []),
      ...(deviceName !== undefined && deviceName !== sourceName ? [deviceName] : []),
    ];
    return parts.join(' · ');
  });
}

/** Names of fields as devices report them, in a sentence. */
export function nameList(fields: readonly string[]): string {
  return new Intl.ListFormat(language.value).format(fields);
}

/** The fields of a chart, in the user's language. */
export function chartTitle(fields: readonly string[]): string {
  return [...new Set(fields)].map(fieldName).join(' · ');
}
