import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createPreviewLink, previewLinkQuery, revokePreviewLink } from '../../api/episode.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { CopyField } from '../../components/copy-field.tsx';
import { EmbedBuilder } from '../../components/embed-builder.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import { Moment } from '../../components/moment.tsx';
import { Notice } from '../../components/notice.tsx';
import { showMessage } from '../../components/toasts.ts';
import { useScreenActions } from '../../shell/screen-actions.ts';
import { useShowZone } from '../../shell/use-show.ts';
import { useEditing } from './editing.ts';
import styles from './episode.module.css';
import { Section } from './section.tsx';

/** Links to give away: the private preview of a draft, and the public ones. */
export function Sharing() {
  const { t } = useLingui();
  const { episode } = useEditing();
  const { links, status, title } = episode;
  return (
    <Section title={status === 'published' ? t`Share` : t`Preview and share`}>
      {status !== 'published' && <Preview />}
      <details className={styles['more']} open={status === 'published'}>
        <summary>
          {status === 'published' ? <Trans>Links</Trans> : <Trans>Links after publishing</Trans>}
        </summary>
        <CopyField label={t`Episode page`} value={links.listen} />
        {links.media !== null && <CopyField label={t`Audio file`} value={links.media} />}
        <CopyField label={t`Show feed`} value={links.feed} />
      </details>
      <details className={styles['more']}>
        <summary>
          <Trans>Player for websites</Trans>
        </summary>
        <EmbedBuilder
          subject={{
            ...{ name: 'episode', id: episode.id, title },
            ...{ frameUrl: links.embed, scriptUrl: links.player_script },
          }}
          isPublic={status === 'published'}
        />
      </details>
    </Section>
  );
}

/** The private page of a draft, for everybody with its link. */
function Preview() {
  const { t } = useLingui();
  const { episode } = useEditing();
  const zone = useShowZone(episode.podcast_id);
  const queries = useQueryClient();
  const query = previewLinkQuery(episode.id);
  // Undefined while it is unknown: a new link ends the one that was given away.
  const { data: link, error } = useQuery(query);
  const options = { onSettled: () => queries.invalidateQueries({ queryKey: query.queryKey }) };
  const create = useMutation({ mutationFn: () => createPreviewLink(episode.id), ...options });
  const revoke = useMutation({ mutationFn: () => revokePreviewLink(episode.id), ...options });
  const copy = async () => {
    const { url } = (await queries.ensureQueryData(query)) ?? (await create.mutateAsync());
    await navigator.clipboard.writeText(url);
    showMessage({ text: t`Preview link copied.` });
  };
  useScreenActions(
    episode.may.edit ? [{ id: 'preview', name: t`Copy preview link`, act: copy }] : [],
  );
  const failure = create.error ?? revoke.error ?? error;
  return (
    <>
      {failure !== null && (
        <Notice tone="bad">
          <FailureText error={failure} />
        </Notice>
      )}
      {link === undefined || link === null ? (
        <>
          <p className="meta">
            <Trans>
              A private link shows the episode’s page as listeners will see it. No account is
              needed.
            </Trans>
          </p>
          {link === null && (
            <Button onPress={() => create.mutate()} isPending={create.isPending}>
              <Trans>Create preview link</Trans>
            </Button>
          )}
        </>
      ) : (
        <>
          <CopyField label={t`Private preview`} value={link.url} />
          <p className="meta">
            <Trans>
              Anyone with the link can see the draft until{' '}
              <Moment of={link.expires_at} zone={zone} day />.
            </Trans>
          </p>
          <div className={styles['actions']}>
            <a
              className={buttonClass('plain', 'small')}
              href={link.url}
              target="_blank"
              rel="noopener"
            >
              <Trans>Open in a new tab</Trans>
            </a>
            <Button size="small" kind="quiet" onPress={() => revoke.mutate()}>
              <Trans>Revoke link</Trans>
            </Button>
          </div>
        </>
      )}
    </>
  );
}
