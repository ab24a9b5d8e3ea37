import { Trans, useLingui } from '@lingui/react/macro';
import { CopyField } from '../../components/copy-field.tsx';
import { useEditing } from './editing.ts';
import styles from './episode.module.css';
import { Preview } from './preview.tsx';
import { Section } from './section.tsx';

/** Links to give away: the private preview of a draft, and the public ones. */
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
          {status === 'published' ? <Trans>Links</Trans> : <Trans>Links after publishing</Trans>}
        </summary>
        <CopyField label={t`Episode page`} value={links.listen} />
        <CopyField label={t`Embed player`} value={embed} />
        {links.media !== null && <CopyField label={t`Audio file`} value={links.media} />}
        <CopyField label={t`Show feed`} value={links.feed} />
      </details>
    </Section>
  );
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
