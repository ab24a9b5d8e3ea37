import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import {
  type EpisodeChanges,
  type EpisodeDraft,
  episodeQuery,
  updateEpisode,
} from '../../api/episode.ts';
import { Page } from '../../components/page.tsx';
import { NothingHere, QueryView } from '../../components/query-view.tsx';
import { showMessage } from '../../components/toasts.ts';
import { useFormDraft } from '../../editor/use-form-draft.ts';
import { ElementsForm, elementFieldNamed, elementFieldsOf } from '../../elements/elements-form.tsx';

/** Elements of an episode in the feed that few episodes need. */
export function AdvancedEpisode() {
  const { t } = useLingui();
  const { podcastId = '', episodeId = '' } = useParams({ strict: false });
  const query = useQuery(episodeQuery(episodeId));
  return (
    <Page title={t`Advanced`} within={query.data?.title}>
      <QueryView query={query}>
        {(episode) =>
          episode.may.edit ? (
            <>
              <p>
                <Link
                  to="/shows/$podcastId/episodes/$episodeId"
                  params={{ podcastId, episodeId }}
                  dir="auto"
                >
                  {episode.title.trim() || t`Untitled episode`}
                </Link>
              </p>
              <ElementsOfEpisode episode={episode} />
            </>
          ) : (
            <NothingHere />
          )
        }
      </QueryView>
    </Page>
  );
}

function ElementsOfEpisode({ episode }: { readonly episode: EpisodeDraft }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const query = episodeQuery(episode.id);
  const draft = useFormDraft<EpisodeDraft>({
    name: `${episode.id} advanced`,
    data: episode,
    fieldsOf: (data) => elementFieldsOf('episode', data),
    known: () => queries.getQueryData(query.queryKey),
    load: () => queries.fetchQuery({ ...query, staleTime: 0 }),
    write: (patch, { revision }) => updateEpisode(episode.id, revision, patch as EpisodeChanges),
    fieldNamed: elementFieldNamed,
    onSaved(written) {
      queries.setQueryData(query.queryKey, written);
      showMessage({ text: t`Saved.` });
    },
  });
  return draft === undefined ? null : <ElementsForm owner="episode" draft={draft} />;
}
