import type { ReactNode } from 'react';
import styles from './notes.module.css';

interface Props {
  readonly id: string;
  readonly label: string;
  readonly onBlur?: (() => void) | undefined;
  /** Somebody is about to write. */
  readonly onApproach?: () => void;
  readonly notice?: ReactNode;
  readonly toolbar: ReactNode;
  readonly children: ReactNode;
}

/** The frame around the notes, with the editor and before it is loaded. */
export function NotesFrame(props: Props) {
  const { id, label, onBlur, onApproach, notice, toolbar, children } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a flex container everywhere.
    <div
      role="group"
      aria-labelledby={id}
      className={styles['notes']}
      onBlur={onBlur}
      onFocus={onApproach}
      onPointerEnter={onApproach}
    >
      <span id={id} className={styles['label']}>
        {label}
      </span>
      {notice}
      <div className={styles['frame']}>
        {toolbar}
        {children}
      </div>
    </div>
  );
}
