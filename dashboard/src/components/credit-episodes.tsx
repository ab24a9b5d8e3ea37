import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { maxEpisodesAtOnce } from '../../../server/src/lib/limits.ts';
import { episodesQuery } from '../api/episodes.ts';
import { creditMember, creditsQuery, type Member } from '../api/team.ts';
import { Button } from './button.tsx';
import styles from './credit-episodes.module.css';
import { Dialog } from './dialog.tsx';
import { FailureText } from './failure-text.tsx';
import { Notice } from './notice.tsx';
import { QueryView } from './query-view.tsx';
import { SearchField } from './search-field.tsx';
import { useTaxonomyNames } from './taxonomy-names.ts';
import { showMessage } from './toasts.ts';

interface Props {
  readonly podcastId: string;
  readonly member: Member;
  readonly mayCredit: boolean;
}

/** What a member sees whose role sees only the episodes that credit them, and a way to credit them. */
export function CreditEpisodes({ podcastId, member, mayCredit }: Props) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const { name, credited_episodes: count } = member;
  return (
    <div className={styles['credits']}>
      <p className="meta">
        {count === 0 ? (
          <Trans>
            <bdi>{name}</bdi> can’t see any episodes yet: this role can only see episodes that
            credit them. Being on the roster isn’t enough.
          </Trans>
        ) : (
          <Plural
            value={count}
            one="Can see the # episode that credits them. Being on the roster isn’t enough."
            other="Can see the # episodes that credit them. Being on the roster isn’t enough."
          />
        )}
      </p>
      {mayCredit && (
        <Button
          size="small"
          aria-label={t`Credit on episodes: ${name}`}
          onPress={() => setOpen(true)}
        >
          <Trans>Credit on episodes…</Trans>
        </Button>
      )}
      {isOpen && <CreditDialog {...{ podcastId, member }} onClose={() => setOpen(false)} />}
    </div>
  );
}

interface DialogProps {
  readonly podcastId: string;
  readonly member: Member;
  readonly onClose: () => void;
}

function CreditDialog({ podcastId, member, onClose }: DialogProps) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const [q, setQ] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { name, user_id: userId } = member;
  const credits = useQuery(creditsQuery(podcastId, userId));
  const termOf = useTaxonomyNames();
  const role = credits.data && termOf(credits.data.person_role);
  const credit = useMutation({
    mutationFn: () => creditMember(podcastId, userId, [...chosen]),
    async onSuccess(written) {
      queries.setQueryData(creditsQuery(podcastId, userId).queryKey, written);
      showMessage({ text: t`${name} was credited.` });
      onClose();
      await queries.invalidateQueries({ queryKey: ['team', podcastId] });
    },
  });
  const toggle = (id: string, isOn: boolean) => {
    const next = new Set(chosen);
    if (isOn) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  const isTooMany = chosen.size > maxEpisodesAtOnce;
  return (
    <Dialog isOpen title={t`Credit ${name} on episodes`} onClose={onClose}>
      <p className={styles['intro']}>
        <Trans>
          They’ll be added to each episode’s people. Everyone already credited stays credited.
        </Trans>
      </p>
      {role !== undefined && (
        <p className={styles['intro']}>
          <Trans>
            They’ll be credited as <strong>{role}</strong>. You can change this on the show’s People
            page.
          </Trans>
        </p>
      )}
      <SearchField label={t`Search episodes`} value={q} onChange={setQ} />
      <QueryView query={credits}>
        {({ episode_ids: ids }) => (
          <Choices {...{ podcastId, q, chosen, toggle }} credited={new Set(ids)} />
        )}
      </QueryView>
      {credit.error !== null && (
        <Notice tone="bad">
          <FailureText error={credit.error} />
        </Notice>
      )}
      {isTooMany && (
        <Notice tone="warn">
          <Trans>Choose up to {maxEpisodesAtOnce} episodes at a time.</Trans>
        </Notice>
      )}
      <div className={styles['foot']}>
        <Button
          kind="primary"
          isDisabled={chosen.size === 0 || isTooMany}
          isPending={credit.isPending}
          onPress={() => credit.mutate()}
        >
          <Plural value={chosen.size} one="Credit on # episode" other="Credit on # episodes" />
        </Button>
        <Button kind="quiet" onPress={onClose}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </Dialog>
  );
}

interface ChoicesProps {
  readonly podcastId: string;
  readonly q: string;
  readonly chosen: ReadonlySet<string>;
  readonly credited: ReadonlySet<string>;
  readonly toggle: (id: string, isOn: boolean) => void;
}

function Choices({ podcastId, q, chosen, credited, toggle }: ChoicesProps) {
  const episodes = useInfiniteQuery(episodesQuery(podcastId, { q }));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = episodes;
  return (
    <QueryView query={episodes}>
      {({ pages }) => (
        <>
          <ul className={styles['choices']}>
            {pages
              .flatMap(({ data }) => data)
              .map(({ id, title }) => (
                <li key={id}>
                  <label>
                    <input
                      type="checkbox"
                      checked={credited.has(id) || chosen.has(id)}
                      disabled={credited.has(id)}
                      onChange={(event) => toggle(id, event.target.checked)}
                    />
                    <span dir="auto">{title}</span>
                    {credited.has(id) && (
                      <span className="meta">
                        <Trans>credited</Trans>
                      </span>
                    )}
                  </label>
                </li>
              ))}
          </ul>
          {hasNextPage && (
            <Button
              size="small"
              kind="quiet"
              isPending={isFetchingNextPage}
              onPress={() => fetchNextPage()}
            >
              <Trans>More episodes</Trans>
            </Button>
          )}
        </>
      )}
    </QueryView>
  );
}
