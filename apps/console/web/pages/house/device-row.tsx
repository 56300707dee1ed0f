import { Age } from '../../parts/age.tsx';
import { Sparkline } from '../../parts/sparkline.tsx';
import { Value } from '../../parts/value.tsx';
import { formatInteger, shownNow } from '../../i18n/format.ts';
import { isSilent, sortedFields } from './model.ts';
import { eventName, fieldName, houseTexts } from './texts.ts';
import type { Signal } from '@preact/signals';
import type { DeviceState } from './model.ts';

/** As many as fit beside the name on a wide screen; on a phone the style sheet hides the last one. */
const maxFields = 4;

/** A device: name, current values, sparkline, last heard. Drawn again only when its own values change. */
export function DeviceRow({ device }: { device: Signal<DeviceState> }) {
  const state = device.value;
  const { sparkline, heardAt } = state;
  const silent = state.isLoading !== true && isSilent(state, shownNow.value);
  return (
    <div class={`device-row${silent ? ' device-silent' : ''}`} data-device={state.id}>
      <div class="device-name">
        <a href={`/explore?device=${encodeURIComponent(state.id)}`} title={state.id}>
          {state.name}
        </a>
      </div>
      <Values state={state} />
      <div class="device-spark">
        {sparkline !== undefined && (
          <Sparkline
            points={sparkline.points}
            label={houseTexts.value.sparkline(fieldName(sparkline.field))}
          />
        )}
      </div>
      <div class="device-heard">
        {heardAt !== undefined && <Age time={heardAt} />}
        {heardAt === undefined && state.isLoading !== true && houseTexts.value.neverHeard}
      </div>
    </div>
  );
}

function Values({ state }: { state: DeviceState }) {
  const { kind, lastEvent, lastEventAt } = state;
  if ((kind === 'contact' || kind === 'button') && lastEvent !== undefined && lastEventAt) {
    return <LastEvent event={lastEvent} time={lastEventAt} />;
  }
  const fields = sortedFields(state.fields);
  if (fields.length === 0) {
    const text = state.isLoading === true ? '' : houseTexts.value.noValues;
    return <div class="device-values muted">{text}</div>;
  }
  const rest = fields.slice(maxFields);
  return (
    <dl class="device-values">
      {fields.slice(0, maxFields).map(([name, { value, unit }]) => (
        <div key={name}>
          <dt title={name}>{fieldName(name)}</dt>
          <dd>
            {typeof value === 'number' ? (
              <Value value={value} unit={unit} />
            ) : (
              <span class="value">{value === null ? '–' : eventName(value)}</span>
            )}
          </dd>
        </div>
      ))}
      {rest.length > 0 && (
        <div
          class="more-fields"
          title={rest
            .map(([name, { value, unit }]) => `${fieldName(name)} ${String(value)} ${unit ?? ''}`)
            .join('\n')}
        >
          <dt class="visually-hidden">{rest.map(([name]) => fieldName(name)).join(', ')}</dt>
          <dd>{houseTexts.value.moreFields(formatInteger(rest.length))}</dd>
        </div>
      )}
    </dl>
  );
}

/** The last event of a door or button. */
function LastEvent({
  event,
  time,
}: {
  event: NonNullable<DeviceState['lastEvent']>;
  time: string;
}) {
  const [first] = sortedFields(
    Object.fromEntries(Object.entries(event).map(([name, value]) => [name, { value, time }])),
  );
  if (first === undefined) return <div class="device-values" />;
  const [name, { value }] = first;
  return (
    <dl class="device-values">
      <div>
        <dt title={name}>{fieldName(name)}</dt>
        <dd>
          <span class={`event event-${String(value)}`}>{eventName(value)}</span> <Age time={time} />
        </dd>
      </div>
    </dl>
  );
}
