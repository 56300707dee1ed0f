import { useMemo } from 'preact/hooks';
import { api } from '../../api/client.ts';
import { formatInteger } from '../../i18n/format.ts';
import { Button } from '../../parts/button.tsx';
import { isNarrow } from '../../parts/media.ts';
import { currentQuery, setQuery } from '../../router/router.ts';
import { DetailText } from './detail-text.tsx';
import { bestForm, isSparkplug, payloadForms, showPayload } from './payload/forms.ts';
import { bytesOfBase64 } from './payload/hex.ts';
import { ReadingsTable } from './preview-view.tsx';
import { deadLettersTexts } from './texts.ts';
import type { Loaded } from '../../api/load.ts';
import type { Payload, PayloadForm } from './payload/forms.ts';
import type { Preview, WholeLetter } from './model.ts';

/** Bytes that are drawn: more would freeze the page. */
const maxShownBytes = 64 * 1024;

interface PayloadViewProps {
  letter: WholeLetter;
  preview: Loaded<Preview>;
}

/** The payload as hex, text, JSON, CBOR or Sparkplug. */
export function PayloadView({ letter, preview }: PayloadViewProps) {
  const texts = deadLettersTexts.value;
  const payload = useMemo((): Payload => {
    const bytes = bytesOfBase64(letter.base64);
    const isWhole = letter.nextOffset === undefined && letter.incomplete === undefined;
    return { bytes, text: letter.text, topic: letter.topic, isWhole };
  }, [letter]);
  const given = currentQuery.value.get('form');
  const form = payloadForms.find((one) => one === given) ?? bestForm(payload);
  return (
    <section class="letter-section" aria-label={texts.payload}>
      <header class="payload-header">
        <h3>{texts.payload}</h3>
        <Button onClick={() => void download(letter)}>{texts.download}</Button>
      </header>
      <Tabs form={form} />
      <div
        class="payload"
        role="tabpanel"
        id="payload-panel"
        aria-labelledby={`payload-${form}`}
        tabIndex={0}
      >
        {form === 'sparkplug' ? (
          <SparkplugReadings payload={payload} preview={preview} />
        ) : (
          <Shown payload={payload} form={form} letter={letter} />
        )}
      </div>
    </section>
  );
}

/** Tabs as in the ARIA practices: arrow keys move between them. */
function Tabs({ form }: { form: PayloadForm }) {
  const { forms, payload } = deadLettersTexts.value;
  const move = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = payloadForms[payloadForms.indexOf(form) + step];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    setQuery({ form: next });
    document.getElementById(`payload-${next}`)?.focus();
  };
  return (
    <div class="payload-tabs" role="tablist" aria-label={payload} onKeyDown={move}>
      {payloadForms.map((one) => (
        <button
          key={one}
          type="button"
          role="tab"
          id={`payload-${one}`}
          aria-selected={one === form}
          aria-controls="payload-panel"
          tabIndex={one === form ? 0 : -1}
          onClick={() => setQuery({ form: one })}
        >
          {forms[one]}
        </button>
      ))}
    </div>
  );
}

interface ShownProps {
  payload: Payload;
  form: Exclude<PayloadForm, 'sparkplug'>;
  letter: WholeLetter;
}

function Shown({ payload, form, letter: { bytes, incomplete } }: ShownProps) {
  const texts = deadLettersTexts.value;
  const width = isNarrow.value ? 8 : 16;
  const part = useMemo(() => cut(payload, form), [payload, form]);
  const result = useMemo(() => showPayload(part, form, width), [part, form, width]);
  if (bytes === 0) return <p class="muted">{texts.emptyPayload}</p>;
  if ('failure' in result) {
    const { failure } = result;
    if (failure === 'not-utf8') return <p class="muted">{texts.notUtf8}</p>;
    if (failure === 'not-whole') {
      return (
        <p class="muted">
          {incomplete === undefined ? texts.notWhole : <DetailText letter={incomplete} />}
        </p>
      );
    }
    return <p class="muted">{texts.notForm(texts.forms[form], failure.message)}</p>;
  }
  const text = result.shown.slice(0, maxShownBytes * 4);
  const isCut = part.bytes.length < bytes || text.length < result.shown.length;
  return (
    <>
      <pre class={form === 'hex' ? 'payload-hex' : 'payload-text'}>{text}</pre>
      {isCut && (
        <p class="muted">
          {texts.shownPart(formatInteger(part.bytes.length), formatInteger(bytes))}
        </p>
      )}
    </>
  );
}

/** Hex and text of the first bytes; JSON and CBOR need the whole payload. */
function cut(payload: Payload, form: PayloadForm): Payload {
  const { bytes, text } = payload;
  if (bytes.length <= maxShownBytes || form === 'json' || form === 'cbor') return payload;
  return {
    ...payload,
    bytes: bytes.subarray(0, maxShownBytes),
    text: text?.slice(0, maxShownBytes),
  };
}

function SparkplugReadings({ payload, preview }: { payload: Payload; preview: Loaded<Preview> }) {
  const { notSparkplug, sparkplugReadings } = deadLettersTexts.value;
  if (!isSparkplug(payload.topic)) return <p class="muted">{notSparkplug}</p>;
  if (preview.kind !== 'ready') return null;
  const { data } = preview;
  return (
    <>
      <p class="muted">{sparkplugReadings}</p>
      {data.outcome === 'refused' && (
        <p>
          <DetailText letter={data} />
        </p>
      )}
      {data.readings.length > 0 && <ReadingsTable readings={data.readings} count={data.stored} />}
    </>
  );
}

/** Saves the payload as a file, range by range, up to a missing part. */
async function download({ id, bytes }: WholeLetter): Promise<void> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let offset: number | undefined = 0;
  let name = id;
  while (offset !== undefined) {
    const { body } = await api.ingestion.getDeadLetter({ id, offset });
    parts.push(bytesOfBase64(body.base64));
    offset = bytes === 0 ? undefined : body.nextOffset;
    if (body.incomplete !== undefined) name = `${id}-incomplete`;
  }
  const url = URL.createObjectURL(new Blob(parts, { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name}.bin`;
  link.click();
  URL.revokeObjectURL(url);
}
