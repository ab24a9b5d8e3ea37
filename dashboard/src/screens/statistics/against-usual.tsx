import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Usual } from '../../api/analytics.ts';
import { Chart } from '../../charts/chart.tsx';
import { formatNumber } from '../../lib/format.ts';
import { utcToday } from './search.ts';
import styles from './statistics.module.css';
import { useFileSubject } from './use-file-subject.ts';
import { useUsualModel } from './use-usual-model.ts';
import { LeftOut, UsualMethod } from './usual-method.tsx';

/** An episode's downloads by age, beside the usual range of its show. */
export function AgainstUsual({ usual }: { readonly usual: Usual }) {
  const known = usual.usual;
  const isKnown = known !== null && known.days.length > 0;
  return (
    <section className={styles['part']} aria-labelledby="usual">
      <h2 id="usual">
        <Trans>Against your usual</Trans>
      </h2>
      {isKnown && <Verdict usual={usual} />}
      {!isKnown && (
        <p>
          <Obstacle usual={usual} />
        </p>
      )}
      {isKnown && <UsualChart usual={usual} />}
      {isKnown && <UsualMethod usual={usual} method={known.method} />}
      {!isKnown && known !== null && <LeftOut of={known.method.left_out} />}
    </section>
  );
}

function UsualChart({ usual }: { readonly usual: Usual }) {
  const today = utcToday();
  const subject = useFileSubject({ from: today, to: today });
  return <Chart model={useUsualModel(usual)} subject={subject} />;
}

/** The result in one sentence, before the chart. */
function Verdict({ usual: { usual } }: { readonly usual: Usual }) {
  const { t } = useLingui();
  const standing = usual?.standing ?? null;
  if (usual === null || standing === null) {
    return (
      <p className={styles['verdict']}>
        <Trans>No day of this episode is over yet. This is what to expect.</Trans>
      </p>
    );
  }
  const positions = {
    below: t`Below your usual`,
    within: t`Within your usual`,
    above: t`Above your usual`,
  };
  const { downloads, position } = standing;
  const day = formatNumber(standing.day);
  const fewer = formatNumber(standing.higher_than);
  const total = formatNumber(usual.method.compared_episodes);
  const middle = Math.round(usual.days[standing.day - 1]?.median ?? 0);
  return (
    <>
      <p className={`${styles['verdict']} ${styles[position]}`}>{positions[position]}</p>
      <p>
        <Trans>
          Downloads by the end of day {day}: {formatNumber(downloads)}. A typical episode of this
          show has {formatNumber(middle)} by then.
        </Trans>{' '}
        {standing.higher_than === 0 ? (
          <Trans>Lower than all {total} comparable episodes.</Trans>
        ) : (
          <Trans>
            Higher than {fewer} of {total} comparable episodes.
          </Trans>
        )}
      </p>
    </>
  );
}

function Obstacle({ usual: { obstacle, usual } }: { readonly usual: Usual }) {
  switch (obstacle) {
    case 'not_counted':
      return <Trans>The downloads of this show are not counted here.</Trans>;
    case 'not_published':
      return <Trans>The episode is not published yet.</Trans>;
    case 'plan_history':
      return (
        <Trans>The plan of this show does not reach back to the first days of this episode.</Trans>
      );
    case 'early_days_missing':
      return (
        <Trans>
          This episode came here after its publication, so its first days were counted elsewhere.
        </Trans>
      );
    case 'early_downloads':
      return (
        <Trans>
          This episode has downloads from before its publication date, so its days cannot be
          compared.
        </Trans>
      );
    case 'republished':
      return (
        <Trans>
          This episode has not been public all the time since its publication date, so its days
          cannot be compared.
        </Trans>
      );
    default: {
      const needed = formatNumber(usual?.method.needed_episodes ?? 0);
      return (
        <>
          <Trans>There are not enough episodes yet to say what is usual.</Trans>{' '}
          <Plural
            value={usual?.method.compared_episodes ?? 0}
            one={`# earlier episode can be compared; it takes ${needed}.`}
            other={`# earlier episodes can be compared; it takes ${needed}.`}
          />
        </>
      );
    }
  }
}
