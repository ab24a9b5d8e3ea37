import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Circle, CircleCheck } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { artworkPx } from '../../../../server/src/lib/limits.ts';
import { type FirstStep, firstStepsQuery } from '../../api/first-steps.ts';
import { Button } from '../../components/button.tsx';
import card from '../../components/card.module.css';
import { wishFor } from '../../shell/screen-actions.ts';
import styles from './first-steps.module.css';

interface Props {
  readonly podcastId: string;
}

const { min, max } = artworkPx;

interface StepProps {
  readonly step: FirstStep;
}

const hiddenKey = (podcastId: string) => `podstead:first-steps-hidden:${podcastId}`;

/** What a new show still needs, until all is done or the person hides it. */
// biome-ignore lint/style/noDefaultExport: React.lazy takes a default export.
export default function FirstSteps({ podcastId }: Props) {
  const key = hiddenKey(podcastId);
  const [isHidden, setHidden] = useState(() => localStorage.getItem(key) !== null);
  const { data } = useQuery({ ...firstStepsQuery(podcastId), enabled: !isHidden });
  if (isHidden || data === undefined || data.steps.length === 0) return null;
  function hide() {
    localStorage.setItem(key, 'yes');
    setHidden(true);
  }
  return (
    <section className={`${card['card']} ${styles['steps']}`} aria-labelledby="first-steps">
      <header className={card['head']}>
        <h2 id="first-steps">
          <Trans>Set up your show</Trans>
        </h2>
        <Button size="small" onPress={hide}>
          <Trans>Hide</Trans>
        </Button>
      </header>
      <ol className={styles['list']}>
        {data.steps.map((step) => (
          <Step key={step.step} podcastId={podcastId} step={step} />
        ))}
      </ol>
    </section>
  );
}

function Step({ podcastId, step }: Props & StepProps) {
  const { t } = useLingui();
  const { is_done: isDone } = step;
  const Icon = isDone ? CircleCheck : Circle;
  return (
    <li className={isDone ? styles['done'] : ''}>
      <Icon size={18} role="img" aria-label={isDone ? t`Done` : t`To do`} />
      <span>
        <Way podcastId={podcastId} step={step} />
      </span>
    </li>
  );
}

function Way({ podcastId, step: { step, episode_id: episodeId } }: Props & StepProps) {
  const params = { podcastId };
  const toEpisode = (text: ReactNode) =>
    episodeId === null ? (
      text
    ) : (
      <Link to="/shows/$podcastId/episodes/$episodeId" params={{ podcastId, episodeId }}>
        {text}
      </Link>
    );
  switch (step) {
    case 'cover':
      return (
        <Link to="/shows/$podcastId/show/cover" params={params}>
          <Trans>
            Add a square cover, {min} to {max} pixels a side
          </Trans>
        </Link>
      );
    case 'texts':
      return (
        <Link to="/shows/$podcastId/show/texts" params={params}>
          <Trans>Add a description and a category</Trans>
        </Link>
      );
    case 'audio':
      return <AudioStep podcastId={podcastId} episodeId={episodeId} toEpisode={toEpisode} />;
    case 'published':
      return toEpisode(<Trans>Publish your first episode</Trans>);
    case 'directories':
      return (
        <Link to="/shows/$podcastId/show/directories" params={params}>
          <Trans>Submit your feed</Trans>
        </Link>
      );
  }
}

interface AudioProps extends Props {
  readonly episodeId: string | null;
  readonly toEpisode: (text: ReactNode) => ReactNode;
}

/** Leads to a draft that has no audio, or makes a new one. */
function AudioStep({ podcastId, episodeId, toEpisode }: AudioProps) {
  const text = <Trans>Add a first episode with audio</Trans>;
  if (episodeId !== null) return toEpisode(text);
  return (
    <Link
      to="/shows/$podcastId/episodes"
      params={{ podcastId }}
      onClick={() => wishFor('new-episode')}
    >
      {text}
    </Link>
  );
}
