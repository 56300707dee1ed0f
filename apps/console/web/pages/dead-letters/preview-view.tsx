import { formatDateTime, formatInteger } from '../../i18n/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { ErrorState, LoadingState } from '../../parts/states.tsx';
import { DetailText } from './detail-text.tsx';
import { reasonText } from './reasons.ts';
import { deadLettersTexts } from './texts.ts';
import type { Loaded } from '../../api/load.ts';
import type { Preview, PreviewedReading } from './model.ts';

/** Rows of fields; a message may have thousands. */
const maxReadings = 20;

interface PreviewViewProps {
  state: Loaded<Preview>;
  onRetry: () => void;
}

/** What the dead letter would become now. */
export function PreviewView({ state, onRetry }: PreviewViewProps) {
  return (
    <section class="letter-section" aria-label={deadLettersTexts.value.preview}>
      <h3>{deadLettersTexts.value.preview}</h3>
      {state.kind === 'loading' && <LoadingState lines={1} />}
      {state.kind === 'failed' && <ErrorState error={state.error} onRetry={onRetry} />}
      {state.kind === 'ready' && <Outcome preview={state.data} />}
    </section>
  );
}

function Outcome({ preview }: { preview: Preview }) {
  const { wouldRefuse, wouldStore, wouldStoreToo, wouldStoreNone } = deadLettersTexts.value;
  const { readings, stored } = preview;
  const count = formatInteger(stored);
  return (
    <>
      {preview.outcome === 'refused' ? (
        <div class="preview-verdict preview-verdict-bad">
          <p class="preview-verdict-title">
            <Icon name="warning" /> {wouldRefuse}: {reasonText(preview.reason).name}
          </p>
          <p>
            <DetailText letter={preview} />
          </p>
          {stored > 0 && <p>{wouldStoreToo(count)}</p>}
        </div>
      ) : (
        <p class="preview-verdict preview-verdict-good preview-verdict-title">
          {stored === 0 ? wouldStoreNone : wouldStore(count)}
        </p>
      )}
      {readings.length > 0 && <ReadingsTable readings={readings} count={stored} />}
    </>
  );
}

interface ReadingsTableProps {
  readings: readonly PreviewedReading[];
  /** How many there are; `readings` may be the first of them. */
  count: number;
}

/** Readings with a row for each field. */
export function ReadingsTable({ readings, count }: ReadingsTableProps) {
  const { device, time, field, value, moreReadings } = deadLettersTexts.value;
  const hidden = count - Math.min(readings.length, maxReadings);
  return (
    <div class="scroll-x" tabIndex={0}>
      <table class="table readings-table">
        <thead>
          <tr>
            <th scope="col">{device}</th>
            <th scope="col">{time}</th>
            <th scope="col">{field}</th>
            <th scope="col" class="number">
              {value}
            </th>
          </tr>
        </thead>
        <tbody>
          {readings.slice(0, maxReadings).map((reading, index) => (
            <ReadingRows key={index} reading={reading} />
          ))}
        </tbody>
      </table>
      {hidden > 0 && <p class="muted">{moreReadings(formatInteger(hidden))}</p>}
    </div>
  );
}

function ReadingRows({ reading: { device, time, fields } }: { reading: PreviewedReading }) {
  return (
    <>
      {Object.entries(fields).map(([name, value], index) => (
        <tr key={name}>
          <td>{index === 0 && device}</td>
          <td>{index === 0 && <time dateTime={time}>{formatDateTime(new Date(time))}</time>}</td>
          <td>{name}</td>
          <td class="number">{value === null ? '–' : String(value)}</td>
        </tr>
      ))}
    </>
  );
}
