import styles from './progress-bar.module.css';

interface Props {
  readonly label: string;
  readonly done: number;
  /** Null while it is not known. */
  readonly total: number | null;
}

/** How much of a long work is done. */
export function ProgressBar({ label, done, total }: Props) {
  return (
    <progress
      className={styles['bar']}
      aria-label={label}
      {...(total !== null && total > 0 && { value: Math.min(done, total), max: total })}
    />
  );
}
