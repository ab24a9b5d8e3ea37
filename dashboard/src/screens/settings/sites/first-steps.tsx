import { Trans, useLingui } from '@lingui/react/macro';
import { CopyField } from '../../../components/copy-field.tsx';
import styles from './sites.module.css';

/** How the first site is connected. */
export function FirstSteps() {
  const { t } = useLingui();
  return (
    <section className={styles['steps']}>
      <h2>
        <Trans>Connect your first site</Trans>
      </h2>
      <ol>
        <li>
          <Trans>
            Install the plugin on your WordPress site. The operator of this service can give it to
            you.
          </Trans>
        </li>
        <li>
          <Trans>
            Open Settings → Podstead there, enter this URL and press <b>Connect</b>. The site then
            sends you back here.
          </Trans>
          <CopyField label={t`URL of this service`} value={window.location.origin} />
        </li>
        <li>
          <Trans>Choose the shows it can access, and allow the connection.</Trans>
        </li>
      </ol>
      <p className={styles['muted']}>
        <Trans>
          Authors of other plugins: <a href="/docs/sites">how sites are connected</a>.
        </Trans>
      </p>
    </section>
  );
}
