import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import formStyles from '../../components/form.module.css';
import { TextField } from '../../components/text-field.tsx';

interface Speaker {
  readonly name: string;
  readonly count: number;
}

interface Props {
  readonly isOpen: boolean;
  readonly speakers: readonly Speaker[];
  readonly onClose: () => void;
  readonly onRename: (name: string, newName: string) => void;
}

const maxShown = 100;

/** Renames a speaker everywhere; two speakers of one name become one. */
export function SpeakersDialog({ isOpen, speakers, onClose, onRename }: Props) {
  const { t } = useLingui();
  const [names, setNames] = useState<Readonly<Record<string, string>>>({});
  const renamed = Object.entries(names).filter(([name, newName]) => name !== newName.trim());
  const close = () => {
    setNames({});
    onClose();
  };
  return (
    <Dialog isOpen={isOpen} title={t`Speakers`} onClose={close}>
      {speakers.length === 0 && (
        <p>
          <Trans>The transcript names nobody.</Trans>
        </p>
      )}
      {speakers.slice(0, maxShown).map(({ name, count }) => (
        <TextField
          key={name}
          label={name}
          hint={<Plural value={count} one="# segment" other="# segments" />}
          value={names[name] ?? name}
          maxLength={200}
          onChange={(newName) => setNames({ ...names, [name]: newName })}
        />
      ))}
      <div className={formStyles['actions']}>
        <Button
          kind="primary"
          isDisabled={renamed.length === 0}
          onPress={() => {
            for (const [name, newName] of renamed) onRename(name, newName.trim());
            close();
          }}
        >
          <Trans>Rename everywhere</Trans>
        </Button>
        <Button onPress={close}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </Dialog>
  );
}
