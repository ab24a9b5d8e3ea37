import styles from './loading.module.css';

/** Says that content is loading; appears only after a moment. */
export function Loading({ label }: { readonly label: string }) {
  return (
    <p className={styles['loading']} role="status">
      <span className={styles['spinner']} aria-hidden="true" />
      {label}
    </p>
  );
}
