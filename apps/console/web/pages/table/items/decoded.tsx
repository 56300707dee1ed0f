import { formatInteger } from '../../../i18n/format.ts';
import { tableTexts } from '../texts.ts';
import { sortedByName } from './raw-text.ts';
import type { TableItem } from './items-request.ts';

type DecodedContent = TableItem['decoded'];

/** What an item means: the parts of its key, its readings, and its other attributes. */
export function Decoded({ decoded }: { decoded: DecodedContent }) {
  const texts = tableTexts.value.items;
  const { key, readings, values, error } = decoded;
  return (
    <>
      {error !== undefined && (
        <p class="danger">
          {texts.notDecoded}: <span lang="en">{error}</span>
        </p>
      )}
      {key !== undefined && Object.keys(key).length > 0 && (
        <Facts title={texts.keyParts} values={key} />
      )}
      {readings !== undefined && <Readings readings={readings} />}
      {values !== undefined && <Facts title={texts.values} values={values} />}
    </>
  );
}

function Facts({ title, values }: { title: string; values: Readonly<Record<string, unknown>> }) {
  return (
    <>
      <h4>{title}</h4>
      <dl class="facts">
        {Object.entries(sortedByName(values)).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="key-text" title={instantOf(value)}>
              {textOf(value)}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Epoch milliseconds from 2001 to 2286 as a tooltip: most times in items are of this form. */
function instantOf(value: unknown): string | undefined {
  const isInstant = typeof value === 'number' && value > 1e12 && value < 1e13;
  return isInstant ? new Date(value).toISOString() : undefined;
}

function Readings({ readings }: { readings: NonNullable<DecodedContent['readings']> }) {
  const texts = tableTexts.value.items;
  const fields = [...new Set(readings.flatMap((reading) => Object.keys(reading.fields)))].sort();
  const title = texts.readings(formatInteger(readings.length));
  return (
    <>
      <h4>{title}</h4>
      <div class="scroll-x readings" tabIndex={0} role="group" aria-label={title}>
        <table class="table">
          <thead>
            <tr>
              <th scope="col">{texts.time}</th>
              {fields.map((field) => (
                <th key={field} scope="col" class="number">
                  {field}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {readings.map(({ time, fields: values }, at) => (
              <tr key={`${time} ${at}`}>
                <td>{time.replace('T', ' ').replace('Z', '')}</td>
                {fields.map((field) => (
                  <td key={field} class="number">
                    {field in values ? String(values[field]) : ''}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
