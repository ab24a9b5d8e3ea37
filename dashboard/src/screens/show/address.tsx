import { Trans, useLingui } from '@lingui/react/macro';
import { CopyField } from '../../components/copy-field.tsx';
import { EmbedBuilder } from '../../components/embed-builder.tsx';
import { Section } from '../../components/section.tsx';
import { TextField } from '../../components/text-field.tsx';
import { ShowForm } from './show-form.tsx';
import { ShowPage } from './show-page.tsx';

/** Where the show is found, and the addresses it had before. */
export function Address() {
  const { t } = useLingui();
  return (
    <ShowPage title={t`URLs`} needs={({ edit }) => edit}>
      {(show) => (
        <>
          <Section title={t`Show URLs`} about={<Trans>Directories ask for the feed URL.</Trans>}>
            <CopyField label={t`Feed`} value={show.links.feed} />
            <CopyField label={t`Listen page`} value={show.links.listen} />
            <CopyField label={t`Player with the latest episode`} value={show.links.latest_player} />
          </Section>
          <Section
            title={t`Player for websites`}
            about={<Trans>It always plays the newest episode.</Trans>}
          >
            <EmbedBuilder
              subject={{
                ...{ name: 'podcast', id: show.id, title: show.title },
                ...{ frameUrl: show.links.latest_player, scriptUrl: show.links.player_script },
              }}
              color={show.player_color ?? show.brand_color ?? show.own_color}
              isPublic={show.status === 'active' || show.status === 'moved'}
            />
          </Section>
          <Section
            title={t`URL slug`}
            about={
              <Trans>
                A new slug changes all of these URLs. The old ones keep redirecting, so no one loses
                the show.
              </Trans>
            }
          >
            <ShowForm show={show} form="address" names={['slug']}>
              {({ text }) => (
                <TextField
                  label={t`URL slug`}
                  hint={t`Lowercase letters from a to z, digits, and hyphens between them.`}
                  {...text('slug')}
                />
              )}
            </ShowForm>
            {show.previous_slugs.length > 0 && (
              <>
                <h3>
                  <Trans>Earlier slugs, which redirect here</Trans>
                </h3>
                <ul>
                  {show.previous_slugs.map((slug) => (
                    <li key={slug}>
                      <code>{slug}</code>
                    </li>
                  ))}
                </ul>
              </>
            )}
          </Section>
        </>
      )}
    </ShowPage>
  );
}
