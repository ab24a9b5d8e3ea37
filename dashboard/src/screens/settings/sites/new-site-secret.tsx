import { Trans, useLingui } from '@lingui/react/macro';
import type { SiteKey } from '../../../api/sites.ts';
import { CopyField } from '../../../components/copy-field.tsx';
import { LinkButton } from '../../../components/link-button.tsx';
import { Moment } from '../../../components/moment.tsx';
import { SecretOnce } from '../../../components/secret-once.tsx';
import styles from '../settings.module.css';

/** The only place that shows the key, from the server's response to the form. */
export function NewSiteSecret({ made }: { readonly made: SiteKey }) {
  const { t } = useLingui();
  const command = `wp podstead connect --service=${window.location.origin} --key=-`;
  return (
    <div className={styles['words']}>
      <SecretOnce label={t`Site key`} secret={made.secret}>
        <h2>
          <Trans>Give it to the site</Trans>
        </h2>
        <p>
          <Trans>
            Run this command on the server of the site before <Moment of={made.register_before} />.
            It waits for the key on standard input.
          </Trans>
        </p>
        <CopyField label={t`Command`} value={command} />
        <p>
          <Trans>
            The site then appears under Sites. Everybody who has the key can connect a site of their
            own in your name, so do not send it by email or chat.
          </Trans>
        </p>
        <LinkButton to="/settings/sites">
          <Trans>To my sites</Trans>
        </LinkButton>
      </SecretOnce>
    </div>
  );
}
