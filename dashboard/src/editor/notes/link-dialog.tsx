import { Trans, useLingui } from '@lingui/react/macro';
import type { Editor } from '@tiptap/react';
import { type FormEvent, useState } from 'react';
import { tryNormalizeLink } from '../../../../server/src/lib/html/link.ts';
import { linkProtocols } from '../../../../server/src/lib/html/show-notes-elements.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/text-field.tsx';
import styles from './notes.module.css';

interface Props {
  readonly editor: Editor;
  readonly onClose: () => void;
}

/** Makes, changes or removes the link at the cursor. */
export function LinkDialog({ editor, onClose }: Props) {
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
      setProblem(t`This is no address of a page or an email.`);
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
    <Dialog isOpen title={before === '' ? t`Add a link` : t`Change the link`} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <TextField
          label={t`Address`}
          value={address}
          onChange={setAddress}
          placeholder="https://"
          inputMode="url"
          problem={problem}
          autoFocus
        />
        {needsWords && <TextField label={t`Words of the link`} value={words} onChange={setWords} />}
        <div className={styles['actions']}>
          <Button type="submit" kind="primary">
            <Trans>Set the link</Trans>
          </Button>
          {before !== '' && (
            <Button onPress={remove}>
              <Trans>Remove the link</Trans>
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
