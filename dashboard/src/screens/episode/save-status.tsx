import { useLingui } from '@lingui/react/macro';
import {
  Check,
  CircleAlert,
  CloudOff,
  HardDrive,
  LoaderCircle,
  type LucideIcon,
} from 'lucide-react';
import type { SaveStatus } from '../../editor/save-state.ts';
import { useEditing } from './editing.ts';
import styles from './episode.module.css';

const icons: Readonly<Record<SaveStatus, LucideIcon>> = {
  saved: Check,
  unsaved: LoaderCircle,
  saving: LoaderCircle,
  paused: CloudOff,
  waiting: HardDrive,
  overlapping: CircleAlert,
  refused: CircleAlert,
  'signed-out': HardDrive,
  forbidden: CircleAlert,
  gone: CircleAlert,
};

/** Whether the shown values are saved, in words. Screen readers announce changes. */
export function SaveStatusText() {
  const { t } = useLingui();
  const { state } = useEditing();
  const { status, storageProblem } = state;
  const kept = storageProblem === undefined;
  const words: Readonly<Record<SaveStatus, string>> = {
    saved: t`Saved`,
    unsaved: t`Saving…`,
    saving: t`Saving…`,
    paused: t`Paused, will continue`,
    waiting: kept ? t`Unpublished changes` : t`Not saved yet`,
    overlapping: t`Conflicting changes`,
    refused: t`Not saved: check the marked fields`,
    'signed-out': kept ? t`Kept in this browser` : t`Not saved yet`,
    forbidden: t`You can no longer edit this episode. Your text is kept in this browser.`,
    gone: t`This episode was deleted. Your text is kept in this browser.`,
  };
  const Icon = icons[status];
  return (
    <span role="status" className={styles['state']} data-status={status}>
      <Icon size={16} aria-hidden="true" />
      {words[status]}
    </span>
  );
}
