import { useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Input } from 'react-aria-components/Input';
import { Menu, MenuItem } from 'react-aria-components/Menu';
import { SearchField } from 'react-aria-components/SearchField';
import { Dialog } from '../components/dialog.tsx';
import { showMessage } from '../components/toasts.ts';
import styles from './palette.module.css';
import { type Command, useCommands } from './use-commands.ts';

interface Props {
  readonly podcastId: string | undefined;
  /** Text that was typed before the field was loaded. */
  readonly takeEarlyText: () => string;
  readonly onClose: () => void;
}

/** The command palette: everything one can open or do, by typing a part of its name. */
// biome-ignore lint/style/noDefaultExport: React.lazy takes a default export.
export default function Palette({ podcastId, takeEarlyText, onClose }: Props) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const commands = useCommands(text, podcastId);
  // The Enter key may reach both the field and the list.
  const isDone = useRef(false);
  const run = (command: Command | undefined) => {
    if (command === undefined || isDone.current) return;
    isDone.current = true;
    onClose();
    // For example, the browser refuses access to its clipboard.
    Promise.resolve(command.act()).catch(() => {
      showMessage({ text: t`This did not work.` }, { stays: true });
    });
  };
  return (
    <Dialog isOpen title={t`Go to…`} onClose={onClose}>
      <Autocomplete inputValue={text} onInputChange={setText}>
        <SearchField aria-label={t`Show, episode, page or action`} autoFocus>
          <Input
            onFocus={() => {
              const early = takeEarlyText();
              setText((typed) => typed + early);
            }}
            onKeyDown={(event) => {
              // While results are loading, none may have the focus; Enter means the first.
              const hasFocus = event.currentTarget.hasAttribute('aria-activedescendant');
              if (event.key === 'Enter' && !hasFocus) run(commands[0]);
            }}
            className={styles['input'] ?? ''}
            placeholder={t`Show, episode, page or action`}
            dir="auto"
          />
        </SearchField>
        <Menu
          aria-label={t`Results`}
          className={styles['results'] ?? ''}
          items={commands}
          dependencies={[commands]}
          renderEmptyState={() => <p className="meta">{t`No results.`}</p>}
          onAction={(id) => run(commands.find((command) => command.id === id))}
        >
          {(command) => (
            <MenuItem id={command.id} textValue={command.name} className={styles['item'] ?? ''}>
              <span dir="auto">{command.name}</span>
              <span className="meta" dir="auto">
                {command.place}
              </span>
            </MenuItem>
          )}
        </Menu>
      </Autocomplete>
    </Dialog>
  );
}
