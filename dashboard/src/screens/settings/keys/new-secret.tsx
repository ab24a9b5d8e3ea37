import { Trans, useLingui } from '@lingui/react/macro';
import type { KeyWithSecret } from '../../../api/keys.ts';
import { CopyField } from '../../../components/copy-field.tsx';
import { LinkButton } from '../../../components/link-button.tsx';
import { LocalMoment } from '../../../components/moment.tsx';
import { SecretOnce } from '../../../components/secret-once.tsx';
import styles from '../settings.module.css';

/** The only place that shows a secret, from the server's response to the form. */
export function NewSecret({ made: { key, secret } }: { readonly made: KeyWithSecret }) {
  const { t } = useLingui();
  const replaced = key.replaced;
  const command = `curl -H "Authorization: Bearer $KEY" ${window.location.origin}/v1/me`;
  return (
    <div className={styles['words']}>
      <SecretOnce label={t`Secret of “${key.name}”`} secret={secret}>
        {replaced !== null && (
          <p>
            <Trans>
              The old secret, ending in <code>{replaced.last_four}</code>, works until{' '}
              <LocalMoment of={replaced.works_until} />.
            </Trans>
          </p>
        )}
        <h2>
          <Trans>Treat it like a password</Trans>
        </h2>
        <ul>
          <li>
            <Trans>
              Store it on a server, in a setting or a secret manager. Don’t put it in a web page, an
              app other people install, a URL or a repository.
            </Trans>
          </li>
          <li>
            <Trans>
              Anyone who has it can use it until <LocalMoment of={key.expires_at} />. If it leaks,
              replace it or revoke the key.
            </Trans>
          </li>
        </ul>
        <h2>
          <Trans>Try it</Trans>
        </h2>
        <CopyField label={t`A first request`} value={command} />
        <LinkButton to="/settings/keys">
          <Trans>Back to keys</Trans>
        </LinkButton>
      </SecretOnce>
    </div>
  );
}
