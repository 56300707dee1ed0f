import { useEffect, useState } from 'preact/hooks';
import { formatInteger, formatNumber } from '../../../i18n/format.ts';
import { Button } from '../../../parts/button.tsx';
import { EmptyState, ErrorState } from '../../../parts/states.tsx';
import { currentQuery } from '../../../router/router.ts';
import { tableTexts } from '../texts.ts';
import { ItemDetails } from './item-details.tsx';
import { ItemsForm } from './items-form.tsx';
import { formOf, requestOf } from './items-request.ts';
import { ItemsStore } from './items-store.ts';
import type { ItemsResult } from './items-store.ts';

/** The items of one partition: a form with the price of its request, and the pages that were read. */
export function ItemsView() {
  const [store] = useState(() => new ItemsStore());
  useEffect(() => () => store.close(), [store]);
  const form = formOf(currentQuery.value);
  const request = requestOf(form);
  const requested = JSON.stringify(request);
  useEffect(() => store.showPrice(request), [store, requested]);
  const { start, startAdvice } = tableTexts.value.items;
  const result = store.result.value;
  const error = store.error.value;
  return (
    <>
      <ItemsForm
        form={form}
        price={store.price.value}
        isReading={store.isReading.value}
        onSubmit={() => request !== undefined && void store.read(request)}
      />
      {error !== undefined && <ErrorState error={error} />}
      {result === undefined && error === undefined && (
        <EmptyState title={start}>
          <p>{startAdvice}</p>
        </EmptyState>
      )}
      {result !== undefined && (
        <Items
          key={JSON.stringify(result.request)}
          result={result}
          isReading={store.isReading.value}
          onNext={() => void store.readNext()}
        />
      )}
    </>
  );
}

interface ItemsProps {
  result: ItemsResult;
  isReading: boolean;
  onNext: () => void;
}

function Items({ result, isReading, onNext }: ItemsProps) {
  const texts = tableTexts.value.items;
  const { items, consumed, cursor, projection, request } = result;
  return (
    <section class="card">
      <h2>{tableTexts.value.views.items}</h2>
      <p class="consumed" role="status">
        <strong>
          {texts.consumed(
            formatNumber(consumed.units),
            formatInteger(consumed.requests),
            formatInteger(items.length),
          )}
        </strong>
        {!consumed.isReported && <span class="muted">{texts.estimated}</span>}
        {!projection.isComplete && (
          <span class="muted">{texts.incomplete(request.index ?? 'table')}</span>
        )}
      </p>
      {items.length === 0 && (
        <EmptyState title={texts.empty}>
          <p>{texts.emptyAdvice}</p>
        </EmptyState>
      )}
      {items.map((item, at) => (
        <ItemDetails
          key={`${item.key.pk}\n${item.key.sk}`}
          item={item}
          index={request.index ?? 'table'}
          isOpen={at === 0}
        />
      ))}
      {cursor !== undefined && (
        <p class="next-page">
          <Button onClick={onNext} disabled={isReading}>
            {texts.next}
          </Button>
        </p>
      )}
    </section>
  );
}
