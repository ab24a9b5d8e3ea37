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
    case 'early_downloads':
      return <Trans>{title}: it has downloads from before its publication date.</Trans>;
    default:
      return (
        <Trans>{title}: it has not been public all the time since its publication date.</Trans>
      );
  }
}
