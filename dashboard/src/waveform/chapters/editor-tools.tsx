import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { ClipboardPaste, FileAudio, Flag, Redo2, Undo2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type ListedChapter, readChapterList } from '../../../../server/src/lib/chapter-list.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import formStyles from '../../components/form.module.css';
import { Notice } from '../../components/notice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { formatDuration } from '../../lib/format.ts';
import type { Chapter } from './chapter.ts';
import styles from './chapters.module.css';
import { isBeyondEnd, type Length } from './check-rows.ts';

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

interface PasteDialogProps {
  readonly isOpen: boolean;
  /** The server refuses chapters after its end. */
  readonly length: Length;
  readonly onClose: () => void;
  readonly onTake: (chapters: readonly Chapter[]) => void;
}

const shownLines = 3;

/** A list from elsewhere, such as show notes. The dialog shows what it understands. */
function PasteDialog({ isOpen, length, onClose, onTake }: PasteDialogProps) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const { chapters: listed, others } = readChapterList(text);
  const chapters = listed.map(toChapter);
  const beyond = chapters.filter((chapter) => isBeyondEnd(chapter, length));
  const taken = chapters.filter((chapter) => !beyond.includes(chapter));
  return (
    <Dialog isOpen={isOpen} title={t`Paste a list of chapters`} onClose={onClose}>
      <TextField
        label={t`Chapters`}
        hint={t`One per line, with the time before or after the title.`}
        placeholder={t`00:01:20 A title`}
        rows={10}
        value={text}
        onChange={setText}
      />
      <p role="status">
        <Plural
          value={taken.length}
          _0="No chapters found."
          one="# chapter found."
          other="# chapters found."
        />
      </p>
      <LeftOut lines={others}>
        <Plural
          value={others.length}
          one="# line has no time and will be skipped:"
          other="# lines have no time and will be skipped:"
        />
      </LeftOut>
      <LeftOut lines={beyond.map(describe)}>
        <Plural
          value={beyond.length}
          one="# chapter starts after the end of the audio and will be skipped:"
          other="# chapters start after the end of the audio and will be skipped:"
        />
      </LeftOut>
      <div className={formStyles['actions']}>
        <Button
          kind="primary"
          isDisabled={taken.length === 0}
          onPress={() => {
            onTake(taken);
            setText('');
          }}
        >
          <Trans>Replace chapters</Trans>
        </Button>
        <Button onPress={onClose}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </Dialog>
  );
}

interface LeftOutProps {
  readonly lines: readonly string[];
  /** How many there are, and why. */
  readonly children: ReactNode;
}

/** The first of the lines that are not used. */
function LeftOut({ lines, children }: LeftOutProps) {
  if (lines.length === 0) return null;
  return (
    <p className="meta">
      {children} <q dir="auto">{lines.slice(0, shownLines).join('\n')}</q>
    </p>
  );
}

function toChapter({ startMs, title, linkUrl }: ListedChapter): Chapter {
  return {
    start_seconds: startMs / 1000,
    end_seconds: null,
    title,
    image_url: null,
    link_url: linkUrl ?? null,
    hidden: false,
  };
}

function describe({ start_seconds: start, title, link_url: link }: Chapter): string {
  return `${formatDuration(start)} ${title || link}`;
}
