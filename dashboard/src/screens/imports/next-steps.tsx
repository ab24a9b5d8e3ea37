import { Trans, useLingui } from '@lingui/react/macro';
import type { Import } from '../../api/imports.ts';
import { CopyField } from '../../components/copy-field.tsx';
import styles from './imports.module.css';

/** The steps to take at the old host, in order. */
export function NextSteps({ of: one }: { readonly of: Import }) {
  const { t } = useLingui();
  if (one.podcast === null) return null;
  const feed = `${window.location.origin}/feeds/${one.podcast.slug}.xml`;
  return (
    <section className={styles['panel']}>
      <h2>
        <Trans>What to do at the old host</Trans>
      </h2>
      <CopyField label={t`Address of the new feed`} value={feed} />
      <ol className={styles['list']}>
        {!one.copy_audio && (
          <li>
            <Trans>
              The audio is still there. Import again with the option to copy it, before you close
              the account.
            </Trans>
          </li>
        )}
        <li>
          <Trans>Redirect the old feed to the new one, with status 301.</Trans>
        </li>
        <li>
          <Trans>
            If the old host cannot do that, add an element <code>itunes:new-feed-url</code> with the
            new address to the old feed.
          </Trans>
        </li>
        <li>
          <Trans>Keep the redirect and the old account for at least four weeks.</Trans>
        </li>
        <li>
          <Trans>Enter the new address in directories that do not follow redirects.</Trans>
        </li>
      </ol>
    </section>
  );
}
