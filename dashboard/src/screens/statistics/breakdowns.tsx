import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type Breakdown, breakdownQuery, type Dimension, type Range } from '../../api/analytics.ts';
import { ApiError } from '../../api/errors.ts';
import { Button } from '../../components/button.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { writeCsv } from '../../lib/csv.ts';
import { formatNumber, formatShare } from '../../lib/format.ts';
import { locale } from '../../lib/formatters.ts';
import { type FileSubject, fileNameAbout, saveFile } from '../../lib/save-file.ts';
import styles from './statistics.module.css';
import { useFileSubject } from './use-file-subject.ts';

interface Props {
  readonly podcastId: string;
  readonly episodeId: string | undefined;
  readonly range: Range;
}

/** Downloads by app, country, device, source and website. */
export function Breakdowns(props: Props) {
  const { t } = useLingui();
  const dimensions: readonly { readonly dimension: Dimension; readonly title: string }[] = [
    { dimension: 'apps', title: t`Apps` },
    { dimension: 'countries', title: t`Countries` },
    { dimension: 'devices', title: t`Devices` },
    { dimension: 'sources', title: t`Source` },
    { dimension: 'referrers', title: t`Referring sites (including your listen page)` },
  ];
  return (
    <div className={styles['breakdowns']}>
      {dimensions.map(({ dimension, title }) => (
        <BreakdownCard key={dimension} {...props} dimension={dimension} title={title} />
      ))}
    </div>
  );
}

interface BreakdownCardProps {
  readonly podcastId: string;
  readonly episodeId: string | undefined;
  readonly range: Range;
  readonly dimension: Dimension;
  readonly title: string;
}

/** The ranking of one dimension: a table whose shares are drawn, too. */
function BreakdownCard({ title, ...of }: BreakdownCardProps) {
  const query = useQuery(breakdownQuery(of));
  const needsPlan = query.error instanceof ApiError && query.error.code === 'plan_upgrade_required';
  return (
    <section className={styles['breakdown']}>
      <h2>{title}</h2>
      {needsPlan ? (
        <p className="meta">
          <Trans>This show’s plan doesn’t include this.</Trans>
        </p>
      ) : (
        <QueryView query={query}>
          {({ data, meta }) => <Ranking title={title} breakdown={data} days={meta.range} />}
        </QueryView>
      )}
    </section>
  );
}

interface RankingProps {
  readonly title: string;
  readonly breakdown: Breakdown;
  readonly days: FileSubject['days'];
}

function Ranking({ title, breakdown, days }: RankingProps) {
  const { t } = useLingui();
  const subject = useFileSubject(days);
  const nameOf = useEntryName(breakdown.dimension as Dimension);
  const rows = breakdown.entries.map((entry) => ({
    ...entry,
    name: nameOf(entry),
    // The API's share has four decimals: rounded again, 1 of 29 would be 3.5 %.
    share: entry.downloads / breakdown.total_downloads,
  }));
  if (rows.length === 0) {
    return (
      <p className="meta">
        <Trans>No downloads in this range.</Trans>
      </p>
    );
  }
  const save = () => {
    const table = rows.map(({ name, downloads, share }) => [name, downloads, share]);
    const text = writeCsv([[title, t`Downloads`, t`Share of downloads`], ...table]);
    saveFile(fileNameAbout(subject, title, 'csv'), new Blob([text], { type: 'text/csv' }));
  };
  return (
    <>
      <table className={styles['ranking']}>
        <caption className="unseen">
          <Plural value={breakdown.total_downloads} one="# download" other="# downloads" />
        </caption>
        <thead className="unseen">
          <tr>
            <th scope="col">{title}</th>
            <th scope="col">
              <Trans>Downloads</Trans>
            </th>
            <th scope="col">
              <Trans>Share of downloads</Trans>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, downloads, share }) => (
            <tr key={key}>
              <th scope="row">
                <bdi>{name}</bdi>
                <span
                  className={styles['share']}
                  style={{ inlineSize: `${share * 100}%` }}
                  aria-hidden="true"
                />
              </th>
              <td>{formatNumber(downloads)}</td>
              <td className="meta">{formatShare(share)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className={styles['save']}>
        <Button size="small" kind="quiet" onPress={save} aria-label={t`Save as CSV: ${title}`}>
          <Trans>Save as CSV</Trans>
        </Button>
      </div>
    </>
  );
}

type Entry = Pick<Breakdown['entries'][number], 'key' | 'label'>;

/** The names of a ranking in the reader's language, if there are any. */
function useEntryName(dimension: Dimension): (entry: Entry) => string {
  const { t } = useLingui();
  const common: Readonly<Record<string, string>> = { unknown: t`Unknown`, other: t`Other` };
  const sources: Readonly<Record<string, string>> = {
    feed: t`Feed`,
    player: t`Embedded player`,
    listen_page: t`Listen page`,
    direct: t`Direct link`,
  };
  // The others are names of products.
  const devices: Readonly<Record<string, string>> = {
    'amazon-smart-speaker': t`Amazon Smart Speaker`,
    'android-phone': t`Android Phone`,
    'android-tablet': t`Android Tablet`,
    'apple-computer': t`Apple Computer`,
    'other-computer': t`Other Computer`,
    'other-mobile-device': t`Other Mobile Device`,
    'other-smart-speaker': t`Other Smart Speaker`,
    'other-smart-tv': t`Other Smart TV`,
    'other-tablet': t`Other Tablet`,
    'other-watch': t`Other Watch`,
    'smart-car': t`Smart Car`,
    'windows-computer': t`Windows Computer`,
  };
  const countries = new Intl.DisplayNames(locale(), { type: 'region', fallback: 'code' });
  return ({ key, label }) => {
    const name = common[key];
    if (name !== undefined) return name;
    if (dimension === 'sources') return sources[key] ?? label;
    if (dimension === 'devices') return devices[key] ?? label;
    const isCountry = dimension === 'countries' && /^[A-Z]{2}$/.test(key);
    return isCountry ? (countries.of(key) ?? label) : label;
  };
}
