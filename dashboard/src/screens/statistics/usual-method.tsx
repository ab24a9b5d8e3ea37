import { Plural, Trans } from '@lingui/react/macro';
import type { Usual } from '../../api/analytics.ts';
import { formatNumber } from '../../lib/format.ts';
import { formatChange, formatDays } from '../../lib/format-days.ts';

type Method = NonNullable<Usual['usual']>['method'];

/** The method in words, with its numbers. */
export function UsualMethod({ usual, method }: { readonly usual: Usual; readonly method: Method }) {
  const { horizon_days: days, monthly_growth: growth } = method;
  const count = formatNumber(method.compared_episodes);
  const hasWide = usual.usual?.days.some(({ most }) => most !== null) ?? false;
  return (
    <details>
      <summary>
        <Trans>How the range is made</Trans>
      </summary>
      <p>
        <Trans>
          Compared with the newest episodes of the same type that were published before this one and
          are at least <Plural value={days} one="# day" other="# days" /> old, twenty at most. There
          are {count}.
        </Trans>{' '}
        {method.published_from !== null && method.published_to !== null && (
          <Trans>
            Their publications: {formatDays(method.published_from, method.published_to)}.
          </Trans>
        )}
      </p>
      {hasWide ? (
        <p>
          <Trans>
            An episode like these ends up in the inner range in half of all cases, and in the outer
            one in eight of ten.
          </Trans>
        </p>
      ) : (
        <p>
          <Trans>
            An episode like these ends up in the range in half of all cases. A range of eight in ten
            takes nine episodes.
          </Trans>
        </p>
      )}
      <p>
        {growth === 0 ? (
          <Trans>
            The growth of the show is not taken into account: that takes twelve episodes.
          </Trans>
        ) : (
          <Trans>
            The show changes by {formatChange(growth)} in 30 days. Earlier episodes are adjusted for
            that.
          </Trans>
        )}
      </p>
      <LeftOut of={method.left_out} />
      <p>
        <Trans>
          Day 1 is the day of publication (UTC), however late it was on that day. Only days that are
          over are compared.
        </Trans>
      </p>
    </details>
  );
}

export function LeftOut({ of }: { readonly of: Method['left_out'] }) {
  const { early_days_missing: missing, early_downloads: early, republished, too_young: young } = of;
  if (missing + early + republished + young === 0) return null;
  return (
    <ul>
      {missing > 0 && (
        <li>
          <Plural
            value={missing}
            one="# episode is left out: its first days were not counted here."
            other="# episodes are left out: their first days were not counted here."
          />
        </li>
      )}
      {early > 0 && (
        <li>
          <Plural
            value={early}
            one="# episode is left out: it has downloads from before its publication date."
            other="# episodes are left out: they have downloads from before their publication date."
          />
        </li>
      )}
      {republished > 0 && (
        <li>
          <Plural
            value={republished}
            one="# episode is left out: it has not been public all the time since its publication date."
            other="# episodes are left out: they have not been public all the time since their publication date."
          />
        </li>
      )}
      {young > 0 && (
        <li>
          <Plural
            value={young}
            one="# episode is left out: it is not old enough."
            other="# episodes are left out: they are not old enough."
          />
        </li>
      )}
    </ul>
  );
}
