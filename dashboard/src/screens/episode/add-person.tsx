import { Trans, useLingui } from '@lingui/react/macro';
import { type FormEvent, useId, useState } from 'react';
import { maxChars } from '../../../../server/src/lib/limits.ts';
import type { EpisodePeople } from '../../api/episode.ts';
import { Button } from '../../components/button.tsx';
import fieldStyles from '../../components/field.module.css';
import type { Credit } from './credit.ts';
import styles from './episode.module.css';

interface AddPersonProps {
  readonly known: EpisodePeople['known'];
  readonly credits: readonly Credit[];
  readonly onAdd: (credit: Credit) => void;
}

/** The name of one of the show's people, which are suggested, or a new name. */
export function AddPerson({ known, credits, onAdd }: AddPersonProps) {
  const { t } = useLingui();
  const list = useId();
  const [name, setName] = useState('');
  const rest = known.filter((person) => !credits.some((credit) => isOf(credit, person)));
  function submit(event: FormEvent) {
    event.preventDefault();
    const typed = name.trim();
    if (typed === '') return;
    const person = rest.find((one) => one.name.toLowerCase() === typed.toLowerCase());
    onAdd(
      person === undefined
        ? { name: typed, role: 'guest', group: 'cast' }
        : { person_id: person.id, name: person.name, role: person.role, group: person.group },
    );
    setName('');
  }
  return (
    <form className={styles['add']} onSubmit={submit}>
      <input
        className={fieldStyles['input']}
        aria-label={t`Person’s name`}
        placeholder={t`Person’s name`}
        list={list}
        value={name}
        maxLength={maxChars.personName}
        dir="auto"
        onChange={({ target }) => setName(target.value)}
      />
      <datalist id={list}>
        {rest.map((person) => (
          <option key={person.id} value={person.name} />
        ))}
      </datalist>
      <Button type="submit">
        <Trans>Add</Trans>
      </Button>
    </form>
  );
}

/** People who were new when they were credited are identified by name. */
function isOf({ person_id, name }: Credit, person: EpisodePeople['known'][number]): boolean {
  return person_id === undefined ? name === person.name : person_id === person.id;
}
