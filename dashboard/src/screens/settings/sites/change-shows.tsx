import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { problemOf } from '../../../api/errors.ts';
import {
  type ConnectableShow,
  changeSiteShows,
  connectableShowsQuery,
  type Site,
  siteQuery,
  sitesQuery,
} from '../../../api/sites.ts';
import { Form } from '../../../components/form.tsx';
import { LinkButton } from '../../../components/link-button.tsx';
import { Page } from '../../../components/page.tsx';
import { QueryView } from '../../../components/query-view.tsx';
import { ShowChoice } from '../../../components/show-choice.tsx';
import { showMessage } from '../../../components/toasts.ts';
import styles from '../settings.module.css';
import { OtherShows } from './other-shows.tsx';
import { shortAddress } from './site-address.tsx';

export function ChangeSiteShows() {
  const { t } = useLingui();
  const { siteId = '' } = useParams({ strict: false });
  const site = useQuery(siteQuery(siteId));
  const shows = useQuery(connectableShowsQuery);
  return (
    <Page
      title={t`Change a site’s shows`}
      within={site.data === undefined ? undefined : shortAddress(site.data.site_url)}
    >
      <p className={styles['lead']}>
        <Trans>
          The site creates posts for added shows the next time it checks for changes. Posts of a
          removed show stay on the site but are no longer updated.
        </Trans>
      </p>
      <QueryView query={site}>
        {(found) => (
          <QueryView query={shows}>
            {(connectable) => <ShowsForm site={found} connectable={connectable} />}
          </QueryView>
        )}
      </QueryView>
    </Page>
  );
}

interface FormProps {
  readonly site: Site;
  readonly connectable: readonly ConnectableShow[];
}

function ShowsForm({ site, connectable }: FormProps) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState(
    site.shows.filter((show) => show.may_stay).map(({ id }) => id),
  );
  const params = { siteId: site.id };
  const change = useMutation({
    mutationFn: () => changeSiteShows(site.id, chosen),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: sitesQuery.queryKey });
      showMessage({ text: t`The site’s shows were changed.` });
      await navigate({ to: '/settings/sites/$siteId', params });
    },
  });
  const kept = t`can’t be added again once it’s removed`;
  const nameless = t`A show you no longer work on`;
  return (
    <Form
      onSubmit={change.mutate}
      submit={t`Save the shows`}
      isPending={change.isPending}
      error={change.error}
      fields={['podcasts']}
      beside={
        <LinkButton to="/settings/sites/$siteId" params={params} kind="quiet">
          <Trans>Cancel</Trans>
        </LinkButton>
      }
    >
      <ShowChoice
        label={t`Shows the site can access`}
        shows={offeredFor(site, connectable, { kept, nameless })}
        value={chosen}
        onChange={setChosen}
        problem={problemOf(change.error, 'podcasts')}
      />
      <OtherShows connectable={connectable} />
    </Form>
  );
}

/** Shows of the site may stay, even if they could not be added now. */
function offeredFor(
  { shows }: Site,
  connectable: readonly ConnectableShow[],
  words: { readonly kept: string; readonly nameless: string },
) {
  const lost = new Set(shows.filter((show) => !show.may_stay).map(({ id }) => id));
  const addable = connectable.filter(({ id, obstacle }) => obstacle === null && !lost.has(id));
  const addableIds = new Set(addable.map(({ id }) => id));
  const kept = shows
    .filter(({ id }) => !addableIds.has(id) && !lost.has(id))
    .map(({ id, title }) => ({ id, title: title ?? words.nameless, slug: words.kept }));
  return [...addable, ...kept];
}
