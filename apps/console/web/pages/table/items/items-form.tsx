import { describeError } from '../../../parts/states.tsx';
import { formatNumber } from '../../../i18n/format.ts';
import { Button } from '../../../parts/button.tsx';
import { ServiceText } from '../../../parts/service-text.tsx';
import { setQuery } from '../../../router/router.ts';
import { Field, SelectField } from '../field.tsx';
import { tableTexts } from '../texts.ts';
import { conditions, indexes, limits } from './items-request.ts';
import { defineTranslations } from '../../../i18n/define-translations.ts';
import { priceJa } from './price-ja.ts';
import type { ItemsForm as Form, ItemsPage } from './items-request.ts';
import type { PriceState } from './items-store.ts';

interface ItemsFormProps {
  form: Form;
  price: PriceState;
  isReading: boolean;
  onSubmit: () => void;
}

/** Which items to read, and what that costs at most. */
export function ItemsForm({ form, price, isReading, onSubmit }: ItemsFormProps) {
  const texts = tableTexts.value.items;
  const indexNames = Object.fromEntries(indexes.map((index) => [index, index]));
  return (
    <form
      class="card query-form"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <div class="fields">
        <SelectField
          label={texts.index}
          value={form.index}
          names={indexNames}
          onChange={(index) => setQuery({ index })}
        />
        <Field
          label={texts.pk}
          value={form.pk}
          isKey
          isWide
          placeholder="DEVICE#…"
          onInput={(pk) => setQuery({ pk })}
        />
        <SelectField
          label={texts.order}
          value={form.order}
          names={texts.orders}
          onChange={(order) => setQuery({ order })}
        />
        <SelectField
          label={texts.limit}
          value={String(form.limit)}
          names={Object.fromEntries(limits.map((limit) => [String(limit), String(limit)]))}
          onChange={(limit) => setQuery({ limit })}
        />
      </div>
      <SortKey form={form} />
      <div class="query-price">
        <Button type="submit" kind="primary" disabled={form.pk === '' || isReading}>
          {texts.query}
        </Button>
        <Price price={price} />
      </div>
    </form>
  );
}

function SortKey({ form }: { form: Form }) {
  const texts = tableTexts.value.items;
  return (
    <div class="fields">
      <SelectField
        label={texts.sk}
        value={form.condition}
        names={Object.fromEntries(conditions.map((one) => [one, texts.conditions[one]]))}
        onChange={(condition) => setQuery({ condition })}
      />
      <SortKeyFields form={form} />
    </div>
  );
}

function SortKeyFields({ form }: { form: Form }) {
  const texts = tableTexts.value.items;
  const field = (name: 'sk' | 'skPrefix' | 'skFrom' | 'skTo', label: string) => (
    <Field
      label={label}
      value={form[name]}
      isKey
      isWide
      onInput={(value) => setQuery({ [name]: value === '' ? undefined : value })}
    />
  );
  if (form.condition === 'any') return null;
  if (form.condition !== 'range') return field(form.condition, texts.value);
  return (
    <>
      {field('skFrom', texts.from)}
      {field('skTo', texts.to)}
    </>
  );
}

function Price({ price }: { price: PriceState }) {
  const texts = tableTexts.value.items;
  if (price.kind === 'none') return <p class="muted">{texts.noPrice}</p>;
  if (price.kind === 'loading') return <p class="muted">{texts.priceLoading}</p>;
  if (price.kind === 'failed') {
    const { title, detail, advice } = describeError(price.error);
    return (
      <p class="danger" role="alert">
        {title} {detail !== undefined && <span lang="en">{detail}</span>} {advice}
      </p>
    );
  }
  const { estimatedUnits, why } = price.price;
  return (
    <div class="price">
      <p>
        <strong>{texts.price(formatNumber(estimatedUnits))}</strong>
      </p>
      <p class="muted">
        <ServiceText text={why} translated={whyOf(price.price)} />
      </p>
      <p class="muted">
        {price.families.length === 0
          ? texts.unknownFamily
          : `${texts.familiesOfKey}: ${price.families.join(', ')}`}
      </p>
    </div>
  );
}

const translate = defineTranslations({ ja: priceJa });

/** How the price is computed, in the user's language; undefined without a translation. */
function whyOf({ whyCode }: ItemsPage['price']): string | undefined {
  return whyCode && translate(whyCode.code, whyCode.values);
}
