import { useLingui } from '@lingui/react/macro';
import {
  Bold,
  ClockArrowDown,
  Code,
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

export type ToolId =
  | 'bold'
  | 'italic'
  | 'code'
  | 'link'
  | 'heading'
  | 'smallHeading'
  | 'list'
  | 'numbered'
  | 'quote'
  | 'time'
  | 'undo'
  | 'redo';

export interface ToolName {
  readonly id: ToolId;
  readonly name: string;
  readonly icon: LucideIcon;
}

/** The buttons of the toolbar, in groups. They need no editor. */
export function useToolNames(hasTime: boolean): readonly (readonly ToolName[])[] {
  const { t } = useLingui();
  const groups: readonly (readonly ToolName[])[] = [
    [
      { id: 'bold', name: t`Bold`, icon: Bold },
      { id: 'italic', name: t`Italic`, icon: Italic },
      { id: 'code', name: t`Code`, icon: Code },
      { id: 'link', name: t`Link`, icon: LinkIcon },
    ],
    [
      { id: 'heading', name: t`Heading`, icon: Heading2 },
      { id: 'smallHeading', name: t`Subheading`, icon: Heading3 },
      { id: 'list', name: t`List`, icon: List },
      { id: 'numbered', name: t`Numbered list`, icon: ListOrdered },
      { id: 'quote', name: t`Quote`, icon: Quote },
    ],
    hasTime ? [{ id: 'time', name: t`Insert the current time`, icon: ClockArrowDown }] : [],
    [
      { id: 'undo', name: t`Undo`, icon: Undo2 },
      { id: 'redo', name: t`Redo`, icon: Redo2 },
    ],
  ];
  return groups.filter((tools) => tools.length > 0);
}
