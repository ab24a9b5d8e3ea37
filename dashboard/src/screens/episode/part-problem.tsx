import styles from './episode.module.css';

/** Why a part is not saved. */
export function PartProblem({ children }: { readonly children: string | undefined }) {
  return (
    <p role="status" className={styles['problem']}>
      {children}
    </p>
  );
}
