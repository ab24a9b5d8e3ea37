import { Trans, useLingui } from '@lingui/react/macro';
import type { MyPodcast } from '../../api/podcasts.ts';
import { Card, Cards } from '../../components/card.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';

/**
 * The shows that prevent the deletion of the account, with ways to hand them over or delete them.
 */
export function OwnedShows({ shows }: { readonly shows: readonly MyPodcast[] }) {
  const { t } = useLingui();
  return (
    <Section
      title={t`Your shows`}
      about={
        <Trans>
          A show that you hand over moves when the new owner accepts. A show that you delete is gone
          with its episodes, files and figures.
        </Trans>
      }
    >
      <Notice tone="warn">
        <Trans>You own shows. Hand over or delete each of them, then delete the account.</Trans>
      </Notice>
      <Cards label={t`Your shows`}>
        {shows.map(({ id, title }) => (
          <Card
            key={id}
            level={3}
            title={title}
            actions={
              <>
                <LinkButton
                  size="small"
                  to="/shows/$podcastId/team"
                  params={{ podcastId: id }}
                  aria-label={t`Hand over: ${title}`}
                >
                  {t`Hand over`}
                </LinkButton>
                <LinkButton
                  size="small"
                  to="/shows/$podcastId/show/end"
                  params={{ podcastId: id }}
                  aria-label={t`Delete: ${title}`}
                >
                  {t`Delete`}
                </LinkButton>
              </>
            }
          />
        ))}
      </Cards>
    </Section>
  );
}
