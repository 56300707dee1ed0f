import { formatDateTime, formatInteger } from '../../i18n/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { ErrorState, LoadingState } from '../../parts/states.tsx';
import { reasonTexts } from './reasons.ts';
import { deadLettersTexts } from './texts.ts';
import type { Loaded } from '../../api/load.ts';
import type { Preview, PreviewedReading } from './preview-letter.ts';

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
  const { wouldRefuse, wouldStore, wouldStoreNone } = deadLettersTexts.value;
  if (preview.outcome === 'refused') {
    return (
      <div class="preview-verdict preview-verdict-bad">
        <p class="preview-verdict-title">
          <Icon name="warning" /> {wouldRefuse}: {reasonTexts.value[preview.reason].name}
        </p>
        <p>{preview.detail}</p>
      </div>
    );
  }
  const { readings } = preview;
  return (
    <>
      <p class="preview-verdict preview-verdict-good preview-verdict-title">
        {readings.length === 0 ? wouldStoreNone : wouldStore(formatInteger(readings.length))}
      </p>
      {readings.length > 0 && <ReadingsTable readings={readings} />}
    </>
  );
}

/** Readings with a row for each field. */
export function ReadingsTable({ readings }: { readings: readonly PreviewedReading[] }) {
  const { device, time, field, value, moreReadings } = deadLettersTexts.value;
  const hidden = readings.length - maxReadings;
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
