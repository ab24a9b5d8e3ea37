import { Trans } from '@lingui/react/macro';
import { ApiError, type ErrorDetail } from '../../api/errors.ts';
import type { ShowSettings } from '../../api/show-settings.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import styles from './show.module.css';
import { conflictOf } from './use-show-write.ts';

interface Props {
  /** As it is now: with what somebody else has written. */
  readonly show: ShowSettings;
  readonly error: unknown;
  readonly onOverwrite: () => void;
  /** Takes back what was typed. */
  readonly onDiscard: () => void;
}

/** Somebody else has changed the same thing: the person sees it, and decides. */
export function Conflict({ show, error, onOverwrite, onDiscard }: Props) {
  if (conflictOf(error) === undefined || !(error instanceof ApiError)) return null;
  return (
    <Notice tone="warn">
      <Trans>Somebody else has changed this meanwhile.</Trans>
      {error.details.map((detail) => (
        <Theirs key={detail.field} show={show} detail={detail} />
      ))}
      <div className={styles['buttons']}>
        <Button size="small" onPress={onOverwrite}>
          <Trans>Save mine</Trans>
        </Button>
        <Button size="small" onPress={onDiscard}>
          <Trans>Take theirs</Trans>
        </Button>
      </div>
    </Notice>
  );
}

interface TheirsProps {
  readonly show: ShowSettings;
  readonly detail: ErrorDetail;
}

function Theirs({ show, detail: { field, message } }: TheirsProps) {
  const value: unknown = Object.hasOwn(show, field) ? show[field as keyof ShowSettings] : undefined;
  return typeof value === 'string' ? (
    <blockquote className={styles['theirs']} dir="auto">
      {value}
    </blockquote>
  ) : (
    <p>{message}</p>
  );
}
