import { Trans, useLingui } from '@lingui/react/macro';
import { CopyField } from '../../components/copy-field.tsx';
import { useEditing } from './editing.ts';
import styles from './episode.module.css';
import { Preview } from './preview.tsx';
import { Section } from './section.tsx';

/** Addresses to give away: the private preview of a draft, and the public ones. */
export function Sharing() {
  const { t } = useLingui();
  const { episode } = useEditing();
  const { links, status, title } = episode;
  const embed = `<iframe src="${links.embed}" title="${escapeAttribute(title)}" width="100%" height="180" frameborder="0" loading="lazy"></iframe>`;
  return (
    <Section title={status === 'published' ? t`Share` : t`Preview and share`}>
      {status !== 'published' && <Preview />}
      <details className={styles['more']} open={status === 'published'}>
        <summary>
          {status === 'published' ? (
            <Trans>Addresses</Trans>
          ) : (
            <Trans>Addresses, once it is published</Trans>
          )}
        </summary>
        <CopyField label={t`Page of the episode`} value={links.listen} />
        <CopyField label={t`Player for other sites`} value={embed} />
        {links.media !== null && <CopyField label={t`Audio file`} value={links.media} />}
        <CopyField label={t`Feed of the show`} value={links.feed} />
      </details>
    </Section>
  );
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
