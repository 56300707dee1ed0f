import { useEffect, useState } from 'preact/hooks';
import { api } from '../../../api/client.ts';
import { loader } from '../../../api/load.ts';
import { EmptyState, ErrorState, LoadingState } from '../../../parts/states.tsx';
import { ServiceText } from '../../../parts/service-text.tsx';
import { currentQuery, setQuery } from '../../../router/router.ts';
import { tableTexts } from '../texts.ts';
import { fixedBeginning, matchesFamily } from './family-keys.ts';
import { defineTranslations } from '../../../i18n/define-translations.ts';
import { meaningsJa } from './meanings-ja.ts';
import type { Family } from './family-keys.ts';

const indexes = ['table', 'gsi1', 'gsi2'] as const;

const families = loader(async (signal) => {
  const { body } = await api.query.getTableFamilies({}, { signal });
  return body.items;
});

/** All forms of keys with their meaning, by index. */
export function FamiliesView() {
  useEffect(() => void families.reload(), []);
  const state = families.state.value;
  if (state.kind === 'failed') {
    return <ErrorState error={state.error} onRetry={() => void families.reload()} />;
  }
  return state.kind === 'loading' ? <LoadingState /> : <Families families={state.data} />;
}

function Families({ families: all }: { families: readonly Family[] }) {
  const texts = tableTexts.value.families;
  const [text, setText] = useState(currentQuery.peek().get('filter') ?? '');
  const shown = all.filter((family) => matchesFamily(family, text, meaningOf(family)));
  return (
    <>
      <p class="muted">{texts.intro}</p>
      <input
        class="input table-filter"
        type="search"
        aria-label={texts.filter}
        placeholder={texts.filterPlaceholder}
        value={text}
        onInput={({ currentTarget: { value } }) => {
          setText(value);
          setQuery({ filter: value === '' ? undefined : value });
        }}
      />
      {shown.length === 0 && <EmptyState title={texts.none} />}
      {indexes.map((index) => (
        <FamiliesOfIndex
          key={index}
          index={index}
          families={shown.filter((family) => family.index === index)}
        />
      ))}
    </>
  );
}

interface FamiliesOfIndexProps {
  index: (typeof indexes)[number];
  families: readonly Family[];
}

function FamiliesOfIndex({ index, families: shown }: FamiliesOfIndexProps) {
  const { indexes: names, pk, sk, meaning, writtenBy, incomplete } = tableTexts.value.families;
  if (shown.length === 0) return null;
  const isComplete = shown.every((family) => family.isComplete);
  return (
    <section class="card">
      <h2>
        {names[index]} {!isComplete && <span class="muted note">{incomplete}</span>}
      </h2>
      <div class="scroll-x" tabIndex={0} role="group" aria-label={names[index]}>
        <table class="table families">
          <thead>
            <tr>
              {[pk, sk, meaning, writtenBy].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((family) => (
              <FamilyRow key={family.name} family={family} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function FamilyRow({ family }: { family: Family }) {
  const { index, pk, sk, meaning, writtenBy } = family;
  const query = new URLSearchParams({ view: 'items', index, pk: fixedBeginning(pk) });
  return (
    <tr>
      <td>
        <a class="key-text" href={`/table?${query.toString()}`}>
          {pk}
        </a>
      </td>
      <td>
        <code>{sk}</code>
      </td>
      <td>
        <ServiceText text={meaning} translated={meaningOf(family)} />
      </td>
      <td>{writtenBy.join(', ')}</td>
    </tr>
  );
}

const translate = defineTranslations({ ja: meaningsJa });

/** The meaning of a family in the user's language; undefined without a translation. */
function meaningOf({ name }: Pick<Family, 'name'>): string | undefined {
  return translate(name, undefined);
}
