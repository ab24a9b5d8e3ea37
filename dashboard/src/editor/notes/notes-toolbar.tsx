import { useLingui } from '@lingui/react/macro';
import { CodeXml } from 'lucide-react';
import { Separator } from 'react-aria-components/Separator';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { Toolbar } from 'react-aria-components/Toolbar';
import styles from './notes.module.css';
import { type ToolId, type ToolName, useToolNames } from './use-tool-names.ts';

export interface ToolState {
  readonly isOn?: boolean;
  readonly isDisabled?: boolean;
}

interface Props {
  readonly states?: Readonly<Partial<Record<ToolId, ToolState>>>;
  readonly onTool: (id: ToolId) => void;
  readonly showsSource: boolean;
  readonly onSource: (shows: boolean) => void;
  /** Whether there is audio, whose time can be inserted. */
  readonly hasTime: boolean;
  readonly isDisabled: boolean;
}

/** One stop for the tab key; arrows go from button to button. */
export function NotesToolbar(props: Props) {
  const { states = {}, onTool, showsSource, onSource, hasTime, isDisabled } = props;
  const { t } = useLingui();
  const groups = useToolNames(hasTime);
  return (
    <Toolbar aria-label={t`Formatting`} className={styles['toolbar'] ?? ''}>
      {groups.map((tools, index) => (
        <div key={tools[0]?.id} className={styles['group']}>
          {index > 0 && <Separator orientation="vertical" className={styles['separator'] ?? ''} />}
          {tools.map((tool) => (
            <ToolButton
              key={tool.id}
              {...tool}
              isOn={states[tool.id]?.isOn === true}
              isDisabled={isDisabled || showsSource || states[tool.id]?.isDisabled === true}
              act={() => onTool(tool.id)}
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

interface ToolProps extends Pick<ToolName, 'name' | 'icon'>, ToolState {
  readonly act: () => void;
}

function ToolButton({ name, icon: Icon, isOn = false, isDisabled = false, act }: ToolProps) {
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
