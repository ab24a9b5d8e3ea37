import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleAlert, Lightbulb, TriangleAlert } from 'lucide-react';
import {
  type HealthFinding,
  healthQuery,
  type Health as ShowHealth,
  type ShowSettings,
} from '../../api/show-settings.ts';
import { Badge } from '../../components/badge.tsx';
import { Notice } from '../../components/notice.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { healthAdvice, healthMessages, healthTitles } from '../../sentences/health-words.ts';
import { sayMessage } from '../../sentences/say-message.ts';
import { PrefixCheck } from './prefix-check.tsx';
import styles from './show.module.css';
import { ShowPage } from './show-page.tsx';

/** Problems that apps and directories may have with the show. */
export function Health() {
  const { t } = useLingui();
  return <ShowPage title={t`Health`}>{(show) => <Report show={show} />}</ShowPage>;
}

function Report({ show }: { readonly show: ShowSettings }) {
  const { t } = useLingui();
  const podcastId = show.id;
  const health = useQuery(healthQuery(podcastId));
  return (
    <QueryView query={health}>
      {({ findings, passed }) => (
        <div className={styles['plain']}>
          <Verdict findings={findings} />
          {findings.length > 0 && (
            <ul className={styles['findings']} aria-label={t`What to improve`}>
              {findings.map((finding) => (
                <Finding key={finding.rule} podcastId={podcastId} finding={finding} />
              ))}
            </ul>
          )}
          {findings.some(({ sources }) => sources.includes('psp1')) && (
            <p className="meta">
              <Trans>PSP-1 is the standard for podcast feeds.</Trans>
            </p>
          )}
          <Passed passed={passed} />
          {show.may.edit && show.enclosure_prefixes.length > 0 && <PrefixCheck show={show} />}
        </div>
      )}
    </QueryView>
  );
}

function Verdict({ findings }: { readonly findings: readonly HealthFinding[] }) {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  if (findings.length === 0) {
    return (
      <Notice tone="good">
        <Trans>No problems found. Your show is ready for every directory.</Trans>
      </Notice>
    );
  }
  if (errors === 0) {
    return (
      <Notice tone="good">
        <Trans>Directories will accept your show. Some things can be improved.</Trans>
      </Notice>
    );
  }
  return (
    <Notice tone="warn">
      <Plural
        value={errors}
        one="One problem keeps your show, or some episodes, out of podcast apps."
        other="# problems keep your show, or some episodes, out of podcast apps."
      />
    </Notice>
  );
}

const icons = { error: CircleAlert, warning: TriangleAlert, advice: Lightbulb };

interface FindingProps {
  readonly podcastId: string;
  readonly finding: HealthFinding;
}

function Finding({ podcastId, finding }: FindingProps) {
  const { t } = useLingui();
  const { severity, sources, rule, episodes } = finding;
  const Icon = icons[severity];
  const severities = { error: t`Error`, warning: t`Warning`, advice: t`Advice` };
  const { message_key: key = rule } = finding;
  const advice = Object.hasOwn(healthAdvice, key) ? key : rule;
  const place = screenOfFinding(advice);
  const todo = sayMessage(healthAdvice, { message: finding.what_to_do, message_key: advice });
  return (
    <li className={`${styles['finding']} ${styles[severity] ?? ''}`}>
      <Icon size={18} role="img" aria-label={severities[severity]} />
      <div>
        <p>
          <b>{sayMessage(healthMessages, finding)}</b>
        </p>
        <p className={styles['todo']}>
          {place === undefined ? (
            todo
          ) : (
            <Link to={place} params={{ podcastId }}>
              {todo}
            </Link>
          )}
        </p>
        {episodes !== null && <Concerned podcastId={podcastId} episodes={episodes} />}
        {sources.length > 0 && (
          <div className={styles['sources']}>
            {sources.map((source) => (
              <Badge key={source}>{names[source]}</Badge>
            ))}
          </div>
        )}
      </div>
    </li>
  );
}

const names = { apple: 'Apple Podcasts', spotify: 'Spotify', psp1: 'PSP-1' };

interface ConcernedProps {
  readonly podcastId: string;
  readonly episodes: NonNullable<HealthFinding['episodes']>;
}

function Concerned({ podcastId, episodes: { count, first } }: ConcernedProps) {
  const rest = count - first.length;
  return (
    <details className={styles['episodes']}>
      <summary>
        <Plural value={count} one="One episode" other="# episodes" />
      </summary>
      <ul>
        {first.map(({ id, title }) => (
          <li key={id}>
            <Link
              to="/shows/$podcastId/episodes/$episodeId"
              params={{ podcastId, episodeId: id }}
              dir="auto"
            >
              {title}
            </Link>
          </li>
        ))}
        {rest > 0 && (
          <li>
            <Plural value={rest} one="and one more" other="and # more" />
          </li>
        )}
      </ul>
    </details>
  );
}

function Passed({ passed }: Pick<ShowHealth, 'passed'>) {
  return (
    <details className={styles['passed']}>
      <summary>
        <Plural value={passed.length} one="One check passed" other="# checks passed" />
      </summary>
      <ul>
        {passed.map(({ rule, title }) => (
          <li key={rule}>{sayMessage(healthTitles, { message: title, message_key: rule })}</li>
        ))}
      </ul>
    </details>
  );
}

/** The screen on which a problem of the show is solved, by the rule. */
const screens = {
  feed_is_public: '/shows/$podcastId/show/end',
  feed_is_current: '/shows/$podcastId/show/end',
  has_an_episode: '/shows/$podcastId/episodes',
  artwork: '/shows/$podcastId/show/cover',
  artwork_square: '/shows/$podcastId/show/cover',
  artwork_size: '/shows/$podcastId/show/cover',
  artwork_bytes: '/shows/$podcastId/show/cover',
  title: '/shows/$podcastId/show/texts',
  description: '/shows/$podcastId/show/texts',
  description_length: '/shows/$podcastId/show/texts',
  category: '/shows/$podcastId/show/texts',
  category_known: '/shows/$podcastId/show/texts',
  language: '/shows/$podcastId/show/texts',
  author: '/shows/$podcastId/show/texts',
  owner_email: '/shows/$podcastId/show/texts',
  not_hidden: '/shows/$podcastId/show/texts',
  ai_content: '/shows/$podcastId/show/texts',
  copyright: '/shows/$podcastId/show/texts',
  prefixes_work: '/shows/$podcastId/show/advanced',
  prefixes_known: '/shows/$podcastId/show/advanced',
} as const;

/** Undefined: it is solved on the screens of the episodes, or not in the app. */
function screenOfFinding(rule: string) {
  return Object.hasOwn(screens, rule) ? screens[rule as keyof typeof screens] : undefined;
}
