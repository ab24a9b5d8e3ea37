import styles from './loading.module.css';

/** Says that something is coming; appears only when it takes a moment. */
export function Loading({ label }: { readonly label: string }) {
  return (
    <p className={styles['loading']} role="status">
      <span className={styles['spinner']} aria-hidden="true" />
      {label}
    </p>
  );
}
