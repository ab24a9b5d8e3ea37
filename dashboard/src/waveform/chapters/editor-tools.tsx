import { Trans, useLingui } from '@lingui/react/macro';
import { ClipboardPaste, FileAudio, Flag, Redo2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import { Notice } from '../../components/notice.tsx';
import type { Chapter } from './chapter.ts';
import styles from './chapters.module.css';
import type { Length } from './check-rows.ts';
import { PasteDialog } from './paste-dialog.tsx';

interface Props {
  readonly addLabel: string;
  readonly length: Length;
  readonly onAdd: () => void;
  readonly onTake: (chapters: readonly Chapter[]) => void;
  readonly loadFileChapters: (() => Promise<readonly Chapter[]>) | undefined;
  readonly undo: (() => void) | undefined;
  readonly redo: (() => void) | undefined;
}

type Loading = 'no' | 'yes' | 'none' | { readonly error: unknown };

export function EditorTools(props: Props) {
  const { addLabel, length, onAdd, onTake, loadFileChapters, undo, redo } = props;
  const { t } = useLingui();
  const [isPasting, setPasting] = useState(false);
  const [loading, setLoading] = useState<Loading>('no');
  const load = async () => {
    setLoading('yes');
    try {
      const chapters = (await loadFileChapters?.()) ?? [];
      setLoading(chapters.length === 0 ? 'none' : 'no');
      if (chapters.length > 0) onTake(chapters);
    } catch (error) {
      setLoading({ error });
    }
  };
  return (
    <>
      <div className={styles['tools']}>
        <Button kind="primary" onPress={onAdd}>
          <Flag size={16} aria-hidden="true" />
          {addLabel}
        </Button>
        <Button onPress={() => setPasting(true)}>
          <ClipboardPaste size={16} aria-hidden="true" />
          <Trans>Paste a list</Trans>
        </Button>
        {loadFileChapters !== undefined && (
          <Button onPress={load} isPending={loading === 'yes'}>
            <FileAudio size={16} aria-hidden="true" />
            <Trans>From the audio file</Trans>
          </Button>
        )}
        <span className={styles['history']}>
          <Button
            kind="quiet"
            size="icon"
            aria-label={t`Undo`}
            isDisabled={undo === undefined}
            onPress={() => undo?.()}
          >
            <Undo2 size={18} aria-hidden="true" />
          </Button>
          <Button
            kind="quiet"
            size="icon"
            aria-label={t`Redo`}
            isDisabled={redo === undefined}
            onPress={() => redo?.()}
          >
            <Redo2 size={18} aria-hidden="true" />
          </Button>
        </span>
      </div>
      {loading === 'none' && (
        <Notice tone="info">
          <Trans>The audio file contains no chapters.</Trans>
        </Notice>
      )}
      {typeof loading === 'object' && (
        <Notice tone="bad">
          <FailureText error={loading.error} />
        </Notice>
      )}
      <PasteDialog
        isOpen={isPasting}
        length={length}
        onClose={() => setPasting(false)}
        onTake={(chapters) => {
          setPasting(false);
          onTake(chapters);
        }}
      />
    </>
  );
}
