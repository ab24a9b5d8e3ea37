import { Trans } from '@lingui/react/macro';
import type { CurveByAge } from '../../api/analytics.ts';

/** Why an episode has no line, or one that cannot be compared. */
export function Flaws({ curves }: { readonly curves: readonly CurveByAge[] }) {
  const flawed = curves.filter(({ flaw }) => flaw !== null);
  if (flawed.length === 0) return null;
  return (
    <ul className="meta">
      {flawed.map((curve) => (
        <li key={curve.episode_id}>
          <Flaw curve={curve} />
        </li>
      ))}
    </ul>
  );
}

function Flaw({ curve: { title, flaw } }: { readonly curve: CurveByAge }) {
  switch (flaw) {
    case 'early_days_missing':
      return <Trans>{title}: its first days were not counted here.</Trans>;
    case 'plan_history':
      return <Trans>{title}: the plan of this show does not reach back to its first days.</Trans>;
    default:
      return (
        <Trans>
          {title}: it was withdrawn and published again, or it has downloads from before its
          publication.
        </Trans>
      );
  }
}
