import { Trans, useLingui } from '@lingui/react/macro';
import { type Editor, EditorContent, useEditorState } from '@tiptap/react';
import { type FormEvent, useEffect, useId, useLayoutEffect, useMemo, useState } from 'react';
import { tryNormalizeLink } from '../../../../server/src/lib/html/link.ts';
import { linkProtocols } from '../../../../server/src/lib/html/show-notes-elements.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { formatDuration } from '../../lib/format.ts';
import { cleanHtml } from './clean-html.ts';
import {
  type EarlyAction,
  type Opening,
  pressKey,
  restorePosition,
  typeText,
} from './early-actions.ts';
import styles from './notes.module.css';
import type { Notes, NotesProps } from './notes-field.tsx';
import { NotesFrame } from './notes-frame.tsx';
import { NotesToolbar, type ToolState } from './notes-toolbar.tsx';
import { textOfHtml } from './read-notes.ts';
import { useNotesEditor } from './use-notes-editor.ts';
import type { ToolId } from './use-tool-names.ts';

interface Props extends NotesProps {
  readonly opening: Opening;
}

export function NotesEditor({ opening, ...props }: Props) {
  const { label, html, onChange, onBlur, currentTime, isReadOnly = false } = props;
  const id = useId();
  const { editor, showsAll } = useNotesEditor({ ...props, labelledBy: id });
  const [showsSource, setShowsSource] = useState(!showsAll);
  const [editsLink, setEditsLink] = useState(false);
  const tools = useTools({ editor, onLink: () => setEditsLink(true), currentTime });
  const act = (first: EarlyAction) => {
    if (first.kind === 'text') typeText(editor, first.text);
    else if (first.kind === 'key') pressKey(editor, first.press);
    else if (first.kind === 'tool') tools.act(first.tool);
    else if (first.kind === 'source') setShowsSource(true);
    else if (first.html === '') editor.view.pasteText(first.text);
    else editor.view.pasteHTML(first.html);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, to restore the cursor.
  useLayoutEffect(() => {
    if (showsAll) restorePosition(editor, opening.place);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for the earlier actions.
  useEffect(() => {
    if (showsAll) opening.acts.forEach(act);
  }, []);
  return (
    <NotesFrame
      id={id}
      label={label}
      onBlur={onBlur}
      notice={
        !showsAll && (
          <Notice tone="warn">
            <Trans>
              The editor can’t show some parts of these notes. They stay unchanged in the source.
            </Trans>
          </Notice>
        )
      }
      toolbar={
        <NotesToolbar
          states={tools.states}
          onTool={tools.act}
          showsSource={showsSource}
          onSource={setShowsSource}
          hasTime={currentTime !== undefined}
          isDisabled={isReadOnly}
        />
      }
    >
      {showsSource ? (
        <SourceView html={html} label={label} onChange={onChange} isReadOnly={isReadOnly} />
      ) : (
        <EditorContent editor={editor} className={styles['content'] ?? ''} />
      )}
      {editsLink && <LinkDialog editor={editor} onClose={() => setEditsLink(false)} />}
    </NotesFrame>
  );
}

interface Options {
  readonly editor: Editor;
  readonly onLink: () => void;
  readonly currentTime?: (() => number) | undefined;
}

interface Tools {
  readonly states: Readonly<Record<ToolId, ToolState>>;
  readonly act: (id: ToolId) => void;
}

/** The state of the tools at the cursor, and their actions. */
function useTools({ editor, onLink, currentTime }: Options): Tools {
  const states = useEditorState({ editor, selector: readStates });
  const run = () => editor.chain().focus();
  const time = () => `${formatDuration(Math.floor(currentTime?.() ?? 0))} `;
  const acts: Readonly<Record<ToolId, () => void>> = {
    bold: () => run().toggleBold().run(),
    italic: () => run().toggleItalic().run(),
    code: () => run().toggleCode().run(),
    link: onLink,
    heading: () => run().toggleHeading({ level: 2 }).run(),
    smallHeading: () => run().toggleHeading({ level: 3 }).run(),
    list: () => run().toggleBulletList().run(),
    numbered: () => run().toggleOrderedList().run(),
    quote: () => run().toggleBlockquote().run(),
    time: () => run().insertContent(time()).run(),
    undo: () => run().undo().run(),
    redo: () => run().redo().run(),
  };
  return { states, act: (id) => acts[id]() };
}

const readStates = ({ editor }: { readonly editor: Editor }): Record<ToolId, ToolState> => ({
  bold: { isOn: editor.isActive('bold') },
  italic: { isOn: editor.isActive('italic') },
  code: { isOn: editor.isActive('code') },
  link: { isOn: editor.isActive('link') },
  heading: { isOn: editor.isActive('heading', { level: 2 }) },
  smallHeading: { isOn: editor.isActive('heading', { level: 3 }) },
  list: { isOn: editor.isActive('bulletList') },
  numbered: { isOn: editor.isActive('orderedList') },
  quote: { isOn: editor.isActive('blockquote') },
  time: {},
  undo: { isDisabled: !editor.can().undo() },
  redo: { isDisabled: !editor.can().redo() },
});

interface SourceViewProps {
  readonly label: string;
  readonly html: string;
  readonly onChange: (notes: Notes) => void;
  readonly isReadOnly: boolean;
}

/** The notes as HTML. It names the elements that are not kept, before they are lost. */
function SourceView({ label, html, onChange, isReadOnly }: SourceViewProps) {
  const { t } = useLingui();
  const { removed } = useMemo(() => cleanHtml(html), [html]);
  const names = removed.map((name) => `<${name}>`).join(', ');
  return (
    <div className={styles['source']}>
      <textarea
        aria-label={t`${label} as HTML`}
        value={html}
        readOnly={isReadOnly}
        onChange={({ target: { value } }) => onChange({ html: value, text: textOfHtml(value) })}
        spellCheck={false}
        rows={16}
        dir="ltr"
      />
      {names !== '' && (
        <Notice tone="warn">
          <Trans>
            Show notes can’t contain {names}. The tags will be removed, but their text stays.
          </Trans>
        </Notice>
      )}
    </div>
  );
}

interface LinkDialogProps {
  readonly editor: Editor;
  readonly onClose: () => void;
}

/** Makes, changes or removes the link at the cursor. */
function LinkDialog({ editor, onClose }: LinkDialogProps) {
  const { t } = useLingui();
  const [before] = useState(() => String(editor.getAttributes('link')['href'] ?? ''));
  const [needsWords] = useState(() => editor.state.selection.empty && before === '');
  const [address, setAddress] = useState(before);
  const [words, setWords] = useState('');
  const [problem, setProblem] = useState<string>();

  function submit(event: FormEvent) {
    event.preventDefault();
    const href = readAddress(address);
    if (href === undefined) {
      setProblem(t`Enter a URL or an email address.`);
      return;
    }
    const chain = editor.chain().focus();
    if (needsWords) {
      const text = words.trim() === '' ? address.trim() : words.trim();
      chain.insertContent({ type: 'text', text, marks: [{ type: 'link', attrs: { href } }] }).run();
    } else chain.extendMarkRange('link').setLink({ href }).run();
    onClose();
  }

  function remove() {
    editor.chain().focus().extendMarkRange('link').unsetLink().run();
    onClose();
  }

  return (
    <Dialog isOpen title={before === '' ? t`Add a link` : t`Edit the link`} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <TextField
          label={t`URL or email address`}
          value={address}
          onChange={setAddress}
          placeholder="https://"
          inputMode="url"
          problem={problem}
          autoFocus
        />
        {needsWords && <TextField label={t`Link text`} value={words} onChange={setWords} />}
        <div className={styles['actions']}>
          <Button type="submit" kind="primary">
            <Trans>Save link</Trans>
          </Button>
          {before !== '' && (
            <Button onPress={remove}>
              <Trans>Remove link</Trans>
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

/** `example.com` and `ann@example.com` are meant as addresses, too. */
function readAddress(text: string): string | undefined {
  const address = text.trim();
  const isPlain = !/^[a-z][a-z\d+.-]*:/i.test(address) && address.includes('.');
  const scheme = address.includes('@') ? 'mailto:' : 'https://';
  return tryNormalizeLink(isPlain ? scheme + address : address, linkProtocols);
}
