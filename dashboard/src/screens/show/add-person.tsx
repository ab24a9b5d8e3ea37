import { Trans, useLingui } from '@lingui/react/macro';
import { type FormEvent, useState } from 'react';
import { Button } from '../../components/button.tsx';
import fieldStyles from '../../components/field.module.css';
import styles from './show.module.css';

export function AddPerson({ onAdd }: { readonly onAdd: (name: string) => void }) {
  const { t } = useLingui();
  const [name, setName] = useState('');
  function submit(event: FormEvent) {
    event.preventDefault();
    if (name.trim() === '') return;
    onAdd(name.trim());
    setName('');
  }
  return (
    <form className={styles['add']} onSubmit={submit}>
      <input
        className={fieldStyles['input']}
        aria-label={t`Name of a person`}
        placeholder={t`Name of a person`}
        value={name}
        maxLength={200}
        dir="auto"
        onChange={({ target }) => setName(target.value)}
      />
      <Button type="submit">
        <Trans>Add</Trans>
      </Button>
    </form>
  );
}
