import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { CheckboxGroup } from './checkbox-group.tsx';
import { SearchField } from './search-field.tsx';

interface Show {
  readonly id: string;
  readonly title: string;
  readonly slug: string;
}

interface Props {
  readonly label: string;
  readonly shows: readonly Show[];
  readonly value: readonly string[];
  readonly onChange: (value: string[]) => void;
  readonly problem?: string | undefined;
}

/** From so many shows on, a search field is shown. */
const searchableFrom = 9;

/** Some of the person's shows. A chosen show stays chosen if the search hides it. */
export function ShowChoice({ label, shows, value, onChange, problem }: Props) {
  const { t } = useLingui();
  const [q, setQ] = useState('');
  const words = q.toLocaleLowerCase();
  const shown = shows.filter(({ title, slug }) =>
    `${title} ${slug}`.toLocaleLowerCase().includes(words),
  );
  const shownIds = new Set(shown.map(({ id }) => id));
  const hidden = value.filter((id) => !shownIds.has(id));
  const isLong = shows.length >= searchableFrom;
  return (
    <>
      {isLong && <SearchField label={t`Search my shows`} value={q} onChange={setQ} />}
      <CheckboxGroup
        label={label}
        choices={shown.map(({ id, title, slug }) => ({ value: id, label: title, hint: slug }))}
        value={value.filter((id) => shownIds.has(id))}
        onChange={(chosen) => onChange([...hidden, ...chosen])}
        problem={problem}
        isLong={isLong}
      />
    </>
  );
}
