import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { sessionIdleDays } from '../../../../server/src/lib/limits.ts';
import { endOtherSessions, endSession, type Session, sessionsQuery } from '../../api/sessions.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card, Cards } from '../../components/card.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import { LocalMoment } from '../../components/moment.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { showMessage } from '../../components/toasts.ts';
import { recognizeBrowser } from '../../lib/recognize-browser.ts';
import styles from './settings.module.css';

export function Sessions() {
  const { t } = useLingui();
  const queries = useQueryClient();
  const sessions = useQuery(sessionsQuery);
  const end = useMutation({
    mutationFn: (id: string | 'others') => (id === 'others' ? endOtherSessions() : endSession(id)),
    async onSuccess(_, id) {
      await queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      const text =
        id === 'others' ? t`You’re signed out everywhere else.` : t`That browser was signed out.`;
      showMessage({ text });
    },
  });
  return (
    <Page title={t`Sessions`}>
      <p className={styles['lead']}>
        <Trans>
          These browsers are signed in to your account. A browser that isn’t used for{' '}
          <Plural value={sessionIdleDays} one="# day" other="# days" /> is signed out automatically.
        </Trans>
      </p>
      {end.isError && (
        <Notice tone="bad">
          <FailureText error={end.error} />
        </Notice>
      )}
      <QueryView query={sessions}>
        {(list) => (
          <>
            <Cards label={t`Sessions`}>
              {list.map((session) => (
                <SessionCard
                  key={session.id}
                  session={session}
                  onEnd={() => end.mutate(session.id)}
                />
              ))}
            </Cards>
            {list.length > 1 && (
              <Button kind="danger" isPending={end.isPending} onPress={() => end.mutate('others')}>
                {t`Sign out everywhere else`}
              </Button>
            )}
          </>
        )}
      </QueryView>
    </Page>
  );
}

interface CardProps {
  readonly session: Session;
  readonly onEnd: () => void;
}

function SessionCard({ session, onEnd }: CardProps) {
  const { t } = useLingui();
  const name = useBrowserName(session.user_agent);
  return (
    <Card
      title={
        <>
          {name}
          {session.current && <Badge tone="info">{t`This browser`}</Badge>}
        </>
      }
      about={
        <Trans>
          Signed in <LocalMoment of={session.created_at} />, last used{' '}
          <LocalMoment of={session.last_used_at} />
        </Trans>
      }
      actions={
        !session.current && (
          <Button size="small" onPress={onEnd} aria-label={t`Sign out: ${name}`}>
            {t`Sign out`}
          </Button>
        )
      }
    />
  );
}

function useBrowserName(userAgent: string | null): string {
  const { t } = useLingui();
  const { browser, system } = recognizeBrowser(userAgent);
  if (browser !== undefined && system !== undefined) return t`${browser} on ${system}`;
  if (browser !== undefined) return browser;
  return system === undefined ? t`Unknown browser` : t`Browser on ${system}`;
}
