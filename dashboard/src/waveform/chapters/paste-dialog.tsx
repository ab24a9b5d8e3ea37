import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import formStyles from '../../components/form.module.css';
import { TextField } from '../../components/text-field.tsx';
import type { Chapter } from './chapter.ts';
import { parseChapterList } from './parse-chapter-list.ts';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onTake: (chapters: readonly Chapter[]) => void;
}

const shownLines = 3;

/** A list from elsewhere, such as show notes. The dialog shows what it understands. */
export function PasteDialog({ isOpen, onClose, onTake }: Props) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const { chapters, others } = parseChapterList(text);
  const lines = others.slice(0, shownLines).join('\n');
  return (
    <Dialog isOpen={isOpen} title={t`Paste a list of chapters`} onClose={onClose}>
      <TextField
        label={t`Chapters`}
        hint={t`One in each line, with its time before or after the title.`}
        placeholder={t`00:01:20 A title`}
        rows={10}
        value={text}
        onChange={setText}
      />
      <p role="status">
        <Plural
          value={chapters.length}
          _0="No chapters found."
          one="# chapter found."
          other="# chapters found."
        />
      </p>
      {others.length > 0 && (
        <p className="meta">
          <Plural
            value={others.length}
            one="# line has no time and is left out:"
            other="# lines have no time and are left out:"
          />{' '}
          <q dir="auto">{lines}</q>
        </p>
      )}
      <div className={formStyles['actions']}>
        <Button
          kind="primary"
          isDisabled={chapters.length === 0}
          onPress={() => {
            onTake(chapters);
            setText('');
          }}
        >
          <Trans>Replace the chapters</Trans>
        </Button>
        <Button onPress={onClose}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </Dialog>
  );
}
