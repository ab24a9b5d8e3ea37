import { useLingui } from '@lingui/react/macro';
import { type Editor, useEditorState } from '@tiptap/react';
import {
  Bold,
  ClockArrowDown,
  Code,
  CodeXml,
  Heading2,
  Heading3,
  Italic,
  Link as LinkIcon,
  List,
  ListOrdered,
  type LucideIcon,
  Quote,
  Redo2,
  Undo2,
} from 'lucide-react';
import { Separator } from 'react-aria-components/Separator';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { Toolbar } from 'react-aria-components/Toolbar';
import { formatDuration } from '../../lib/format.ts';
import styles from './notes.module.css';

interface Props {
  readonly editor: Editor;
  readonly label: string;
  readonly showsSource: boolean;
  readonly onSource: (shows: boolean) => void;
  readonly onLink: () => void;
  readonly currentTime?: (() => number) | undefined;
  readonly isDisabled: boolean;
}

interface Tool {
  readonly name: string;
  readonly icon: LucideIcon;
  readonly isOn?: boolean;
  readonly isDisabled?: boolean;
  readonly act: () => void;
}

/** One stop for the tab key; arrows go from button to button. */
export function NotesToolbar(props: Props) {
  const { t } = useLingui();
  const { label, showsSource, onSource, isDisabled } = props;
  const groups = useTools(props);
  return (
    <Toolbar aria-label={label} className={styles['toolbar'] ?? ''}>
      {groups.map((tools, index) => (
        <div key={tools[0]?.name} className={styles['group']}>
          {index > 0 && <Separator orientation="vertical" className={styles['separator'] ?? ''} />}
          {tools.map((tool) => (
            <ToolButton
              key={tool.name}
              {...tool}
              isDisabled={isDisabled || showsSource || tool.isDisabled === true}
            />
          ))}
        </div>
      ))}
      <div className={styles['group']}>
        <Separator orientation="vertical" className={styles['separator'] ?? ''} />
        <ToolButton
          name={t`Source (HTML)`}
          icon={CodeXml}
          isOn={showsSource}
          act={() => onSource(!showsSource)}
        />
      </div>
    </Toolbar>
  );
}

function ToolButton({ name, icon: Icon, isOn = false, isDisabled = false, act }: Tool) {
  return (
    <ToggleButton
      aria-label={name}
      isSelected={isOn}
      isDisabled={isDisabled}
      onChange={act}
      className={styles['tool'] ?? ''}
    >
      <Icon size={18} aria-hidden="true" />
    </ToggleButton>
  );
}

function useTools({ editor, onLink, currentTime }: Props): readonly (readonly Tool[])[] {
  const { t } = useLingui();
  const is = useEditorState({ editor, selector: readState });
  const run = () => editor.chain().focus();
  const insertTime = () => {
    run()
      .insertContent(`${formatDuration(Math.floor(currentTime?.() ?? 0))} `)
      .run();
  };
  return [
    [
      { name: t`Bold`, icon: Bold, isOn: is.bold, act: () => run().toggleBold().run() },
      { name: t`Italic`, icon: Italic, isOn: is.italic, act: () => run().toggleItalic().run() },
      { name: t`Code`, icon: Code, isOn: is.code, act: () => run().toggleCode().run() },
      { name: t`Link`, icon: LinkIcon, isOn: is.link, act: onLink },
    ],
    [
      {
        name: t`Heading`,
        icon: Heading2,
        isOn: is.heading,
        act: () => run().toggleHeading({ level: 2 }).run(),
      },
      {
        name: t`Smaller heading`,
        icon: Heading3,
        isOn: is.smallHeading,
        act: () => run().toggleHeading({ level: 3 }).run(),
      },
      { name: t`List`, icon: List, isOn: is.list, act: () => run().toggleBulletList().run() },
      {
        name: t`Numbered list`,
        icon: ListOrdered,
        isOn: is.numbered,
        act: () => run().toggleOrderedList().run(),
      },
      { name: t`Quote`, icon: Quote, isOn: is.quote, act: () => run().toggleBlockquote().run() },
    ],
    currentTime === undefined
      ? []
      : [{ name: t`Insert the current time`, icon: ClockArrowDown, act: insertTime }],
    [
      { name: t`Undo`, icon: Undo2, isDisabled: !is.undoable, act: () => run().undo().run() },
      { name: t`Redo`, icon: Redo2, isDisabled: !is.redoable, act: () => run().redo().run() },
    ],
  ].filter((tools) => tools.length > 0);
}

const readState = ({ editor }: { readonly editor: Editor }) => ({
  bold: editor.isActive('bold'),
  italic: editor.isActive('italic'),
  code: editor.isActive('code'),
  link: editor.isActive('link'),
  heading: editor.isActive('heading', { level: 2 }),
  smallHeading: editor.isActive('heading', { level: 3 }),
  list: editor.isActive('bulletList'),
  numbered: editor.isActive('orderedList'),
  quote: editor.isActive('blockquote'),
  undoable: editor.can().undo(),
  redoable: editor.can().redo(),
});
