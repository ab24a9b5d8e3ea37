import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { allMyPodcastsQuery } from '../../../api/podcasts.ts';
import type { ConnectableShow } from '../../../api/sites.ts';
import { useRoleName } from '../../../components/role-name.ts';

/** The person's shows that no site can read, each with the reason. */
export function OtherShows({ connectable }: { readonly connectable: readonly ConnectableShow[] }) {
  const { t } = useLingui();
  const nameOf = useRoleName();
  const podcasts = useQuery(allMyPodcastsQuery);
  const obstacles: Readonly<Record<string, string>> = {
    hosted_elsewhere: t`Its audio is not hosted here.`,
    plan_lapsed: t`Its plan has lapsed.`,
    plan_without_api: t`Its plan doesn’t include the API.`,
  };
  const known = new Set(connectable.map(({ id }) => id));
  const refused = connectable.filter(({ obstacle }) => obstacle !== null);
  const foreign = (podcasts.data ?? []).filter(({ id }) => !known.has(id));
  const count = refused.length + foreign.length;
  if (count === 0) return null;
  return (
    <details>
      <summary>
        <Plural value={count} one="# show you can’t connect" other="# shows you can’t connect" />
      </summary>
      <ul>
        {refused.map(({ id, title, obstacle }) => (
          <li key={id}>
            <bdi>{title}</bdi>: {obstacles[obstacle ?? ''] ?? obstacle}
          </li>
        ))}
        {foreign.map((show) => {
          const role = nameOf(show);
          return (
            <li key={show.id}>
              <bdi>{show.title}</bdi>:{' '}
              <Trans>Only its owner or an admin can connect it; your role is {role}.</Trans>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
